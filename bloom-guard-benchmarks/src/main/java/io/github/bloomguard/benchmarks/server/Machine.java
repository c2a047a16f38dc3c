package io.github.bloomguard.benchmarks.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import com.sun.management.OperatingSystemMXBean;

import org.springframework.util.unit.DataSize;

/**
 * What the figures depend on beside the code.
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
