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

package io.github.bloomguard.benchmarks.many;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.MirrorStatus.State;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * One instance of an application whose filters are called {@code f0}, {@code f1} and so
 * on, and whose bean of the class {@code Guarded} has as many guarded methods.
 */
public final class ManyApplication {

	private static final Duration IDLE = Duration.ofSeconds(30);

	private ManyApplication() {
	}

	/**
	 * Start, and tell one line of figures when the context has started and one when all
	 * filters are ready. After that, each line that is read is answered by one with the
	 * CPU time of thirty idle seconds; the end of the input is that of the application.
	 * @param args the number of filters, the name of the class with the methods, the URL
	 * of PostgreSQL, the port of Redis, and more properties
	 * @throws Exception if what this prints is not read
	 */
	public static void main(String[] args) throws Exception {
		int filters = Integer.parseInt(args[0]);
		long begun = System.nanoTime();
		long cpu = cpu();
		try (ConfigurableApplicationContext context = start(filters, args)) {
			tell(cpu() - cpu, System.nanoTime() - begun);
			ManagedFilters managed = context.getBean(ManagedFilters.class);
			int threads = 0;
			while (!areReady(managed)) {
				threads = Math.max(threads, threads());
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
			}
			tell(cpu() - cpu, System.nanoTime() - begun);
			System.out.println(threads + " " + ManagementFactory.getThreadMXBean().getPeakThreadCount());
			while (System.in.read() >= 0) {
				cpu = cpu();
				LockSupport.parkNanos(IDLE.toNanos());
				tell(cpu() - cpu, IDLE.toNanos());
				System.gc();
				System.out
					.println(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " " + threads());
			}
		}
	}

	private static ConfigurableApplicationContext start(int filters, String[] args) throws ClassNotFoundException {
		Map<String, Object> properties = new HashMap<>(Map.of("spring.datasource.url", args[2],
				"spring.data.redis.port", args[3], "spring.main.banner-mode", "off", "logging.level.root", "error"));
		for (int i = 0; i < filters; i++) {
			String filter = "bloom-guard.filters.f" + i + ".";
			properties.put(filter + "expected-insertions", "10000");
			properties.put(filter + "warm-up.query", "select id from product where id > " + i);
			properties.put(filter + "verification.required-calls", "0");
			properties.put(filter + "rebuild.settle", "0s");
		}
		for (int i = 4; i < args.length; i++) {
			properties.put(args[i].substring(0, args[i].indexOf('=')), args[i].substring(args[i].indexOf('=') + 1));
		}
		return new SpringApplicationBuilder(Application.class, Class.forName(args[1])).web(WebApplicationType.NONE)
			.properties(properties)
			.run();
	}

	private static boolean areReady(ManagedFilters managed) {
		return managed.stream()
			.allMatch((filter) -> filter.filter().state() == FilterState.READY
					&& filter.filter().mirrorStatus().state() == State.ANSWERING);
	}

	private static int threads() {
		return (int) Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("bloom-guard"))
			.count();
	}

	private static long cpu() {
		return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
	}

	private static void tell(long cpu, long elapsed) {
		System.out.printf(Locale.ROOT, "%.2f %.2f%n", cpu / 1e9, elapsed / 1e9);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
