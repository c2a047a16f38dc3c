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

package io.github.bloomguard;

import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rows that are inserted while the application is being closed.
 */
class ClosingTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@BeforeEach
	void reset() {
		redis.reset();
	}

	@Test
	void keysAreAddedUntilTheLastBeanIsDestroyed() {
		assertThat(keysAddedAtTheEnd(List.of(Shop.class, Buffer.class, new Keys("products", 10))))
			.containsExactly("stopped", "destroyed");
	}

	@Test
	void keysAreAddedThoughTheRedissonClientOfTheApplicationIsDestroyedBefore() {
		assertThat(keysAddedAtTheEnd(
				List.of(Shop.class, Buffer.class, OwnClientConfiguration.class, new Keys("products", 10))))
			.containsExactly("stopped", "destroyed");
	}

	private static List<String> keysAddedAtTheEnd(List<?> beans) {
		Buffer buffer;
		try (GuardApplication application = GuardApplication.start(redis, beans)) {
			application.awaitReady();
			buffer = application.bean(Buffer.class);
		}
		assertThat(redis.command("CLIENT", "LIST").lines().filter((line) -> line.contains("lib-name=redisson")))
			.isEmpty();
		return buffer.added;
	}

	static class Shop {

		@BloomAdd("products")
		public void insert(long id) {
		}

	}

	static class Buffer implements SmartLifecycle, DisposableBean {

		private final List<String> added = new ArrayList<>();

		private final Shop shop;

		private boolean running;

		Buffer(Shop shop) {
			this.shop = shop;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.shop.insert(501);
			this.added.add("stopped");
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return Integer.MIN_VALUE;
		}

		@Override
		public void destroy() {
			this.shop.insert(601);
			this.added.add("destroyed");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnClientConfiguration {

		@Bean
		RedissonClient redisson(@Value("${spring.data.redis.port}") int port) {
			Config config = new Config();
			config.useSingleServer().setAddress("redis://localhost:" + port);
			return Redisson.create(config);
		}

	}

}
