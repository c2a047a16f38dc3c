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

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * One instance of an application with one filter, which inserts rows in transactions and
 * asks for them. It tells each state of the filter, and each row that was called absent.
 */
public final class WritingApplication {

	private static final String FILTER = "products";

	private static final Duration PAUSE = Duration.ofMillis(20);

	private WritingApplication() {
	}

	/**
	 * Start, and write until the input ends.
	 * @param args the number of the instance, the URL of PostgreSQL, the port of Redis,
	 * and more properties
	 * @throws Exception if the input can't be read
	 */
	public static void main(String[] args) throws Exception {
		Map<String, Object> properties = new HashMap<>(
				Map.of("spring.datasource.url", args[1], "spring.data.redis.port", args[2], "spring.main.banner-mode",
						"off", "logging.level.root", "error", "logging.level.io.github.bloomguard", "warn"));
		String filter = "bloom-guard.filters." + FILTER + ".";
		properties.put(filter + "expected-insertions", "100000");
		properties.put(filter + "warm-up.query", "select id from product");
		properties.put(filter + "verification.required-calls", "0");
		properties.put(filter + "rebuild.settle", "0s");
		for (int i = 3; i < args.length; i++) {
			properties.put(args[i].substring(0, args[i].indexOf('=')), args[i].substring(args[i].indexOf('=') + 1));
		}
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties(properties)
			.run()) {
			Thread writer = new Thread(() -> write(context, Long.parseLong(args[0])), "writer");
			writer.setDaemon(true);
			writer.start();
			while (System.in.read() >= 0) {
				// until the end
			}
		}
	}

	private static void write(ConfigurableApplicationContext context, long instance) {
		BloomGuard guard = context.getBean(BloomGuard.class);
		JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
		TransactionTemplate transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		for (long id = instance * 1_000_000_000; !Thread.currentThread().isInterrupted(); id++) {
			long written = id;
			try {
				transactions.executeWithoutResult((status) -> {
					jdbc.update("insert into product values (?, 'new')", written);
					guard.add(FILTER, written);
				});
				if (guard.membership(FILTER, written) == Membership.ABSENT) {
					System.out.println("WRONG " + written);
				}
			}
			catch (RuntimeException ex) {
				System.out.println("FAILED " + ex);
			}
			LockSupport.parkNanos(PAUSE.toNanos());
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		BloomGuardListener tellingListener() {
			return new BloomGuardListener() {

				@Override
				public void onStateChange(String filter, FilterState from, FilterState to, @Nullable Throwable cause) {
					System.out.println("STATE " + to);
				}

			};
		}

	}

}
