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

package io.github.bloomguard.autoconfigure.redis;

import io.github.bloomguard.InvalidGuardException;

/**
 * Refuses connections that Redisson can't make, instead of connecting to something else.
 */
final class UnsupportedRedis {

	private UnsupportedRedis() {
	}

	static void check(boolean used, String what) {
		if (used) {
			throw of(what);
		}
	}

	static InvalidGuardException of(String what) {
		return new InvalidGuardException(
				"The application's connection to Redis uses " + what
						+ ", which the guard's own connection, made by Redisson, can't do",
				"Declare a RedissonClient bean that connects to the Redis in which the filters shall be kept; the"
						+ " guard then uses that one");
	}

}
