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

import java.util.concurrent.ExecutionException;

import io.github.bloomguard.gate.RedisGate;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Reads with a driver that makes its caller wait, for as long as the driver is configured
 * to.
 *
 * @param get the command
 * @param gate learns how it went
 */
record BlockingReads(Get get, RedisGate gate) implements EntryReads {

	static EntryReads of(RedisConnectionFactory factory, RedisGate gate) {
		return new BlockingReads((key) -> {
			try (RedisConnection connection = factory.getConnection()) {
				return connection.stringCommands().get(key);
			}
		}, gate);
	}

	@Override
	public byte @Nullable [] read(byte[] key) throws ExecutionException {
		try {
			byte[] value = this.get.value(key);
			this.gate.answered();
			return value;
		}
		catch (RuntimeException ex) {
			this.gate.failed(ex);
			throw new ExecutionException(ex);
		}
	}

	/**
	 * Gets the value of a key.
	 */
	@FunctionalInterface
	interface Get {

		byte @Nullable [] value(byte[] key);

	}

}
