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

package io.github.bloomguard.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.cache.Cache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;

import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.cache.CacheGuard;
import io.github.bloomguard.cache.CacheRules;
import io.github.bloomguard.call.Answer;

/**
 * The cost of a hit in a Redis cache with and without the guarded writer, over the
 * loopback interface, and without Redis, where nothing hides it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 4, time = 3)
public class CacheHitBenchmark {

	/**
	 * Whether the writer is guarded.
	 */
	@Param({ "false", "true" })
	public boolean guarded;

	/**
	 * Where values are: in Redis, or nowhere, so that only the writer is measured.
	 */
	@Param({ "redis", "nowhere" })
	public String store = "redis";

	private @Nullable LocalRedis redis;

	private @Nullable CacheGuard guard;

	private Cache cache = new org.springframework.cache.support.NoOpCache("none");

	/**
	 * Store a value and build the cache.
	 */
	@Setup
	public void setUp() {
		LocalRedis started = LocalRedis.start();
		CacheGuard created = new CacheGuard(started.connectionFactory(), "bloom-guard", (name) -> CacheRules.DEFAULT,
				List.of(), Runnable::run, Duration.ofSeconds(1), (cache, key) -> () -> Answer.of(true), Stream::empty);
		RedisCacheManager manager = RedisCacheManager.builder(writer(started, created))
			.cacheDefaults(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofHours(1)))
			.build();
		manager.afterPropertiesSet();
		Cache products = manager.getCache("products");
		if (products == null) {
			throw new IllegalStateException("no cache");
		}
		products.put(7, "a value of usual length, as a name is");
		this.redis = started;
		this.guard = created;
		this.cache = products;
	}

	private RedisCacheWriter writer(LocalRedis started, CacheGuard created) {
		if (this.store.equals("nowhere")) {
			RedisCacheWriter writer = new ConstantCacheWriter();
			return this.guarded ? created.guard(writer) : writer;
		}
		return this.guarded ? created.writer()
				: RedisCacheWriter.create(started.connectionFactory(), (configurer) -> configurer.immediateWrites());
	}

	/**
	 * Stop what was started.
	 */
	@TearDown
	public void tearDown() {
		if (this.guard != null) {
			this.guard.close();
		}
		if (this.redis != null) {
			this.redis.close();
		}
	}

	/**
	 * A hit of {@code @Cacheable}.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object hit() {
		return this.cache.get(7);
	}

	/**
	 * A hit of {@code @Cacheable(sync = true)}.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object hitWithLoader() {
		return this.cache.get(7, () -> "loaded");
	}

}
