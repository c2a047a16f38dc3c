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

import java.util.ServiceLoader;

import org.springframework.data.redis.cache.BatchStrategy;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * What versions of Spring Data Redis call otherwise. A service is used where there is
 * one, else that of the version that the guard is compiled with.
 */
public interface SpringDataRedisVersion {

	/**
	 * The version in use.
	 */
	SpringDataRedisVersion CURRENT = ServiceLoader
		.load(SpringDataRedisVersion.class, SpringDataRedisVersion.class.getClassLoader())
		.findFirst()
		.orElseGet(SpringDataRedis4::new);

	/**
	 * Create a writer whose changes are made when its methods return.
	 * @param clearing deletes the entries of a cache
	 */
	RedisCacheWriter create(RedisConnectionFactory connectionFactory, BatchStrategy clearing);

	void evict(RedisCacheWriter writer, String cache, byte[] key);

	/**
	 * Evict at once.
	 * @return whether there was an entry, {@code false} if that is not known
	 */
	boolean evictIfPresent(RedisCacheWriter writer, String cache, byte[] key);

	void clear(RedisCacheWriter writer, String cache, byte[] pattern);

	/**
	 * Clear at once.
	 * @return whether there were entries, {@code false} if that is not known
	 */
	boolean invalidate(RedisCacheWriter writer, String cache, byte[] pattern);

}
