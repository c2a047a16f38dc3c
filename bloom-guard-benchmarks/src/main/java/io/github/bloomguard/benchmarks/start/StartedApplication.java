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

package io.github.bloomguard.benchmarks.start;

import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application with a cache in Redis, in a process of its own, that tells what its
 * start has cost. It starts without the guard on its class path, too.
 */
public final class StartedApplication {

	private static final String FILTER = "bloom-guard.filters.products.";

	private StartedApplication() {
	}

	/**
	 * Start the application and print its CPU time in milliseconds and how many classes
	 * it has loaded, when it has started, its filter answers, and one product was read,
	 * so that each is connected to the cache and the database.
	 * @param args {@code true} with a filter, the URL of PostgreSQL, the port of Redis
	 */
	public static void main(String[] args) {
		boolean guarded = Boolean.parseBoolean(args[0]);
		SpringApplicationBuilder builder = new SpringApplicationBuilder(guarded ? Guarded.class : Cached.class)
			.web(WebApplicationType.NONE)
			.properties("spring.datasource.url=" + args[1], "spring.data.redis.port=" + args[2],
					"spring.main.banner-mode=off", "logging.level.root=warn");
		if (guarded) {
			builder.properties(FILTER + "expected-insertions=1000000", FILTER + "warm-up.query=select id from product",
					FILTER + "verification.required-calls=0", FILTER + "rebuild.settle=0s");
		}
		try (ConfigurableApplicationContext context = builder.run()) {
			if (guarded) {
				Answers.await(context);
			}
			context.getBean(Products.class).find(1);
			System.out.println(ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() + " "
					+ ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
		}
	}

	/**
	 * What only an application with the guard may load.
	 */
	private static final class Answers {

		private static void await(ConfigurableApplicationContext context) {
			BloomGuard guard = context.getBean(BloomGuard.class);
			while (guard.membership("products", -1) != Membership.ABSENT) {
				LockSupport.parkNanos(1_000_000);
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableAutoConfiguration
	static class Cached {

		@Bean
		CachedProducts products(JdbcTemplate database) {
			return new CachedProducts(database);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableAutoConfiguration
	static class Guarded {

		@Bean
		GuardedProducts products(JdbcTemplate database) {
			return new GuardedProducts(database);
		}

	}

	abstract static class Products {

		private final JdbcTemplate database;

		Products(JdbcTemplate database) {
			this.database = database;
		}

		public String find(long id) {
			return Objects.requireNonNull(
					this.database.queryForObject("select name from product where id = ?", String.class, id));
		}

	}

	static class CachedProducts extends Products {

		CachedProducts(JdbcTemplate database) {
			super(database);
		}

		@Override
		@Cacheable("products")
		public String find(long id) {
			return super.find(id);
		}

	}

	static class GuardedProducts extends Products {

		GuardedProducts(JdbcTemplate database) {
			super(database);
		}

		@Override
		@BloomGuarded("products")
		@Cacheable("products")
		public String find(long id) {
			return super.find(id);
		}

	}

}
