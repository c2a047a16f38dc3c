/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.benchmarks.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import com.sun.management.OperatingSystemMXBean;

import org.springframework.util.unit.DataSize;

/**
 * The machine, on which the figures depend beside the code.
 */
public final class Machine {

	private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

	private Machine() {
	}

	/**
	 * Describe the machine and the server.
	 * @param redis the Redis
	 * @return one line
	 */
	public static String describe(LocalRedis redis) {
		try (RedisWire wire = redis.wire()) {
			return "%s; JDK %s; redis-server %s on the same machine, over loopback".formatted(describe(),
					System.getProperty("java.vm.version"), wire.infoText("server", "redis_version"));
		}
	}

	/**
	 * Describe the machine and the servers.
	 * @param redis the Redis
	 * @param postgres the PostgreSQL
	 * @return one line
	 */
	public static String describe(LocalRedis redis, LocalPostgres postgres) {
		try (RedisWire wire = redis.wire()) {
			return "%s; JDK %s; redis-server %s and PostgreSQL %s on the same machine, over loopback".formatted(
					describe(), System.getProperty("java.vm.version"), wire.infoText("server", "redis_version"),
					postgres.template().queryForObject("show server_version", String.class));
		}
	}

	private static String describe() {
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		return "%d cores of %s, %d GB, %s %s".formatted(system.getAvailableProcessors(), processor(),
				DataSize.ofBytes(system.getTotalMemorySize()).toGigabytes(), system.getName(), system.getVersion());
	}

	private static String processor() {
		try (Stream<String> lines = Files.lines(PROCESSORS)) {
			return lines.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst()
				.orElse(System.getProperty("os.arch"));
		}
		catch (IOException ex) {
			return System.getProperty("os.arch");
		}
	}

}
