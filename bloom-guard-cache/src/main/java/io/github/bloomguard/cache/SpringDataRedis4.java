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

import org.springframework.data.redis.cache.BatchStrategy;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Spring Data Redis 4.
 */
final class SpringDataRedis4 implements SpringDataRedisVersion {

	@Override
	public RedisCacheWriter create(RedisConnectionFactory connectionFactory, BatchStrategy clearing) {
		return RedisCacheWriter.create(connectionFactory,
				(configurer) -> configurer.immediateWrites().batchStrategy(clearing));
	}

	@Override
	public void evict(RedisCacheWriter writer, String cache, byte[] key) {
		writer.evict(cache, key);
	}

	@Override
	public boolean evictIfPresent(RedisCacheWriter writer, String cache, byte[] key) {
		return writer.evictIfPresent(cache, key);
	}

	@Override
	public void clear(RedisCacheWriter writer, String cache, byte[] pattern) {
		writer.clear(cache, pattern);
	}

	@Override
	public boolean invalidate(RedisCacheWriter writer, String cache, byte[] pattern) {
		return writer.invalidate(cache, pattern);
	}

}
