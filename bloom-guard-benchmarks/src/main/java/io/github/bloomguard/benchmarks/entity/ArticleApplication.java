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

package io.github.bloomguard.benchmarks.entity;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.guard.ManagedFilters;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An application that inserts articles.
 */
public final class ArticleApplication implements AutoCloseable {

	private static final String FILTER = "bloom-guard.filters.articles.";

	/**
	 * The probability of a false positive, which is the default.
	 */
	public static final double PROBABILITY = 0.001;

	private final LocalRedis redis = LocalRedis.start();

	private final ConfigurableApplicationContext context;

	private final ArticleWriter writer;

	/**
	 * Start an application.
	 * @param writer what inserts the articles
	 * @param dataSource its database
	 * @param guarded whether there is a filter of the articles
	 * @param properties more properties, as {@code name=value}
	 */
	public ArticleApplication(ArticleWriter writer, DataSource dataSource, boolean guarded, String... properties) {
		this.writer = writer;
		List<String> all = new ArrayList<>(List.of(this.redis.properties()));
		all.addAll(List.of("bloom-guard.enabled=" + guarded, FILTER + "expected-insertions=8000000",
				FILTER + "false-positive-probability=" + PROBABILITY, FILTER + writer.rows(),
				FILTER + "verification.required-calls=0", FILTER + "rebuild.settle=0s",
				FILTER + "warm-up.recheck-empty=0s", FILTER + "rebuild.longest-transaction=5s",
				"spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false", "logging.level.root=warn"));
		all.addAll(List.of(properties));
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(all.toArray(String[]::new))
			.initializers((context) -> {
				GenericApplicationContext generic = (GenericApplicationContext) context;
				generic.registerBean("dataSource", DataSource.class, () -> dataSource,
						(definition) -> definition.setDestroyMethodName(""));
				writer.register(generic);
			})
			.run();
		if (guarded) {
			awaitReady();
		}
	}

	private void awaitReady() {
		ManagedFilters filters = this.context.getBean(ManagedFilters.class);
		while (Objects.requireNonNull(filters.find("articles")).filter().state() != FilterState.READY) {
			LockSupport.parkNanos(1_000_000);
		}
	}

	/**
	 * Insert rows in one transaction.
	 * @param rows how many
	 * @return how long it took, in nanoseconds
	 */
	public long insert(int rows) {
		long begun = System.nanoTime();
		this.writer.insert(rows);
		return System.nanoTime() - begun;
	}

	/**
	 * Return the server that has the filter.
	 * @return the server
	 */
	public LocalRedis redis() {
		return this.redis;
	}

	@Override
	public void close() {
		this.context.close();
		this.redis.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
