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

package io.github.bloomguard.cache.client;

import io.github.bloomguard.circuit.CircuitBreaker;
import redis.clients.jedis.UnifiedJedis;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Commands of a {@linkplain BoundedJedis factory that does not wait long}. Entries are
 * read with the client in which Jedis keeps its pool: a connection of Spring Data Redis
 * would be made for each read, and throws an exception to itself when it is closed.
 */
final class JedisCommands {

	private JedisCommands() {
	}

	static EntryCommands of(JedisConnectionFactory factory, CircuitBreaker breaker) {
		try (RedisConnection connection = factory.getConnection()) {
			return (connection.getNativeConnection() instanceof UnifiedJedis client)
					? new BlockingCommands(factory, client::get, Runnable::run, breaker)
					// as before Spring Data Redis 4.1
					: BlockingCommands.of(factory, Runnable::run, breaker);
		}
	}

}
