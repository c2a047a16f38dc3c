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

package io.github.bloomguard.benchmarks.contender;

import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * An auto-configured application with one service and a Redis server of its own.
 */
final class ProductApplication implements AutoCloseable {

	private final LocalRedis redis;

	private final ConfigurableApplicationContext context;

	private ProductApplication(LocalRedis redis, ConfigurableApplicationContext context) {
		this.redis = redis;
		this.context = context;
	}

	static ProductApplication start(Products products, DataSource dataSource, Driver driver, String... properties) {
		LocalRedis redis = LocalRedis.start();
		List<String> all = new ArrayList<>(List.of(redis.properties()));
		all.addAll(List.of(driver.property(), "spring.cache.type=redis", "spring.cache.redis.time-to-live=1h",
				"spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false"));
		all.addAll(List.of(properties));
		return new ProductApplication(redis,
				new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
					.properties(all.toArray(String[]::new))
					.initializers((context) -> {
						GenericApplicationContext generic = (GenericApplicationContext) context;
						generic.getBeanFactory().registerSingleton("dataSource", dataSource);
						generic.registerBean("products", Products.class, () -> products);
						driver.beans(redis).accept(generic);
					})
					.run());
	}

	Products products() {
		return this.context.getBean(Products.class);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	LocalRedis redis() {
		return this.redis;
	}

	@Override
	public void close() {
		this.context.close();
		this.redis.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableAutoConfiguration
	static class Application {

	}

}
