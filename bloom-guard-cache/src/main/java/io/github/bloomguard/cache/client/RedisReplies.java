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

import io.github.bloomguard.circuit.RedisRefusedException;

import org.springframework.dao.InvalidDataAccessApiUsageException;

/**
 * Knows which exceptions of drivers are errors that Redis has replied.
 */
public final class RedisReplies {

	private RedisReplies() {
	}

	public static boolean isReply(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof RedisRefusedException || cause instanceof InvalidDataAccessApiUsageException
					|| isReplyOfDriver(cause.getClass().getName(), cause)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isReplyOfDriver(String type, Throwable cause) {
		return switch (type) {
			case "io.lettuce.core.RedisCommandExecutionException", "redis.clients.jedis.exceptions.JedisDataException",
					"redis.clients.jedis.exceptions.JedisAccessControlException" ->
				true;
			case "org.redisson.client.RedisException" -> String.valueOf(cause.getMessage()).contains(". channel: ");
			default -> false;
		};
	}

}
