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

package io.github.bloomguard.backend.redis.module;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;

/**
 * A server with filters of its own, and a client, from when they are first used on. Each
 * test that uses them is skipped if there is no such server.
 */
final class ModuleServer implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private @Nullable TestRedis redis;

	private @Nullable RedissonClient redisson;

	TestRedis redis() {
		if (this.redis == null) {
			this.redis = TestRedis.withModule();
		}
		return this.redis;
	}

	void flush() {
		redis().command("FLUSHALL");
	}

	ModuleBackend backend(Kind kind) {
		return kind.factory.create(access(), "test", TIMEOUT);
	}

	RedisBackend bits() {
		return new RedisBackend(access(), "test", TIMEOUT);
	}

	private Supplier<RedisAccess> access() {
		if (this.redisson == null) {
			this.redisson = RedissonClients.of(redis());
		}
		RedissonClient client = this.redisson;
		return () -> new RedisAccess(client, Runnable::run);
	}

	static String key(GenerationId id) {
		return "test:{products}:bits:" + id.id();
	}

	static FilterSettings settings(Duration journalRetention, Duration addedRetention) {
		return new FilterSettingsBuilder().journalRetention(journalRetention)
			.journalMemory(1 << 20)
			.addedRetention(addedRetention)
			.build();
	}

	@Override
	public void close() {
		if (this.redisson != null) {
			this.redisson.shutdown();
		}
		if (this.redis != null) {
			this.redis.close();
		}
	}

	/**
	 * The kinds of filters that it has.
	 */
	enum Kind {

		BLOOM(ModuleBackend::bloom), CUCKOO(ModuleBackend::cuckoo);

		private final Factory factory;

		Kind(Factory factory) {
			this.factory = factory;
		}

	}

	private interface Factory {

		ModuleBackend create(Supplier<RedisAccess> redis, String keyPrefix, Duration timeout);

	}

}
