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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.bloomguard.call.Answer;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.cache.RedisCache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheManager.RedisCacheManagerBuilder;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * What one instance of an application has: a guard, and a cache manager that uses it.
 */
final class GuardedInstance implements AutoCloseable {

	final RecordingListener listener = new RecordingListener();

	final CacheGuard guard;

	final RedisCacheManager manager;

	final NullEntries nullEntries;

	private GuardedInstance(RedisConnectionFactory connectionFactory, @Nullable CacheRules rules,
			RedisCacheConfiguration configuration, UnaryOperator<RedisCacheManagerBuilder> customizer,
			Duration timeout) {
		this.guard = new CacheGuard(connectionFactory, "bloom-guard",
				(name) -> name.startsWith("unguarded") ? null : rules, List.of(this.listener),
				new SimpleAsyncTaskExecutor(), timeout, (name, key) -> () -> Answer.of(true),
				() -> Stream.of(manager()));
		this.manager = customizer.apply(RedisCacheManager.builder(this.guard.writer()).cacheDefaults(configuration))
			.build();
		this.manager.afterPropertiesSet();
		this.guard.ready().handle((done, failure) -> done).completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
		this.nullEntries = new NullEntries(() -> Stream.of(this.manager), () -> FilterCaches.NONE);
	}

	static GuardedInstance of(RedisConnectionFactory connectionFactory) {
		return of(connectionFactory, CacheRules.DEFAULT, UnaryOperator.identity());
	}

	static GuardedInstance of(RedisConnectionFactory connectionFactory, CacheRules rules) {
		return of(connectionFactory, rules, UnaryOperator.identity());
	}

	static GuardedInstance of(RedisConnectionFactory connectionFactory, CacheRules rules,
			UnaryOperator<RedisCacheConfiguration> configuration) {
		return of(connectionFactory, rules, configuration, UnaryOperator.identity());
	}

	static GuardedInstance of(RedisConnectionFactory connectionFactory, CacheRules rules,
			UnaryOperator<RedisCacheConfiguration> configuration, UnaryOperator<RedisCacheManagerBuilder> customizer) {
		return new GuardedInstance(connectionFactory, rules,
				configuration.apply(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(10))),
				customizer, Duration.ofSeconds(10));
	}

	/**
	 * Return an instance whose callers wait no longer than a time.
	 */
	static GuardedInstance impatient(RedisConnectionFactory connectionFactory, Duration timeout) {
		return impatient(connectionFactory, timeout, UnaryOperator.identity(), UnaryOperator.identity());
	}

	static GuardedInstance impatient(RedisConnectionFactory connectionFactory, Duration timeout,
			UnaryOperator<RedisCacheConfiguration> configuration, UnaryOperator<RedisCacheManagerBuilder> customizer) {
		return new GuardedInstance(connectionFactory, CacheRules.DEFAULT,
				configuration.apply(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(10))),
				customizer, timeout);
	}

	private RedisCacheManager manager() {
		return this.manager;
	}

	RedisCache cache(String name) {
		return (RedisCache) this.manager.getCache(name);
	}

	@Override
	public void close() {
		this.guard.close();
	}

}
