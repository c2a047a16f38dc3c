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

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

record ApplicationRedis(RedisServers servers, @Nullable String username, @Nullable String password, int database,
		boolean ssl, Verification verification, @Nullable SslBundle sslBundle, @Nullable String clientName,
		@Nullable Duration connectTimeout, @Nullable Duration timeout) {

	enum Verification {

		/**
		 * A certificate must be trusted and have the name of the server.
		 */
		FULL,

		TRUST,

		NONE

	}

}
