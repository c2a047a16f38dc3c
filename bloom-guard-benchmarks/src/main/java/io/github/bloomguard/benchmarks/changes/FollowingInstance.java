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

package io.github.bloomguard.benchmarks.changes;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

/**
 * One of several instances with a filter of the table {@code product}, into which others
 * write.
 */
public final class FollowingInstance implements AutoCloseable {

	private static final String FILTER = "bloom-guard.filters.products.";

	private final ConfigurableApplicationContext context;

	private final ManagedFilter filter;

	private final Products products;

	/**
	 * Start an instance, and wait until its filter answers.
	 * @param redis where the filter is
	 * @param dataSource the database
	 * @param wait how long an absent answer waits for the log, such as {@code 50ms}
	 */
	public FollowingInstance(LocalRedis redis, DataSource dataSource, String wait) {
		this(redis, dataSource, List.of(FILTER + "changes.enabled=true", FILTER + "changes.table=product",
				FILTER + "changes.key-columns=id", FILTER + "changes.wait=" + wait));
	}

	private FollowingInstance(LocalRedis redis, DataSource dataSource, List<String> changes) {
		List<String> all = new ArrayList<>(List.of(redis.properties()));
		all.addAll(changes);
		all.addAll(List.of(FILTER + "expected-insertions=2000000", FILTER + "false-positive-probability=0.000001",
				FILTER + "warm-up.query=select id from product", FILTER + "verification.required-calls=0",
				FILTER + "rebuild.settle=0s", FILTER + "rebuild.longest-transaction=100ms",
				"spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false", "logging.level.root=warn"));
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(all.toArray(String[]::new))
			.initializers((context) -> ((GenericApplicationContext) context).registerBean("dataSource",
					DataSource.class, () -> dataSource, (definition) -> definition.setDestroyMethodName("")))
			.run();
		this.filter = Objects.requireNonNull(this.context.getBean(ManagedFilters.class).find("products"));
		this.products = this.context.getBean(Products.class);
		while (this.filter.filter().state() != FilterState.READY) {
			LockSupport.parkNanos(1_000_000);
		}
	}

	/**
	 * Start an instance that is no other's and follows nothing.
	 * @param redis where its filter is
	 * @param dataSource the database
	 * @return the instance
	 */
	public static FollowingInstance alone(LocalRedis redis, DataSource dataSource) {
		return new FollowingInstance(redis, dataSource, List.of("bloom-guard.key-prefix=alone"));
	}

	/**
	 * Return a row that is cached after the first call.
	 * @param id its key
	 * @return the row
	 */
	public @Nullable String product(long id) {
		return this.products.find(id);
	}

	/**
	 * Return the filter.
	 * @return the filter
	 */
	public GuardedFilter filter() {
		return this.filter.guard();
	}

	/**
	 * Return whether this is the instance that follows.
	 * @return whether it is
	 */
	public boolean isFollowing() {
		return Objects.requireNonNull(this.filter.changes()).progress().following();
	}

	/**
	 * Wait until a key is known.
	 * @param key the key
	 */
	public void awaitFound(long key) {
		while (this.filter.guard().membership(key) == Membership.ABSENT) {
			LockSupport.parkNanos(50_000);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableCaching
	@Import(Products.class)
	static class Application {

	}

	static class Products {

		@Nullable
		@BloomGuarded("products")
		@Cacheable("products")
		public String find(long id) {
			return "product " + id;
		}

	}

}
