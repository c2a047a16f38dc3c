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

/**
 * The Redis of the application, as it is configured: its connection factory, what Spring
 * Boot would make one from, of which each line has other types, or properties.
 *
 * @param username the user, {@code null} for none
 * @param password the password, {@code null} for none
 * @param ssl whether connections are encrypted
 * @param sslBundle the certificates, {@code null} for those of the JVM
 * @param clientName the name of connections, {@code null} for none
 * @param connectTimeout the longest wait for a connection, {@code null} for the default
 * @param timeout the longest wait for an answer, {@code null} for the default
 */
public record ApplicationRedis(RedisServers servers, @Nullable String username, @Nullable String password, boolean ssl,
		Verification verification, @Nullable SslBundle sslBundle, @Nullable String clientName,
		@Nullable Duration connectTimeout, @Nullable Duration timeout) {

	/**
	 * How certificates are verified.
	 */
	public enum Verification {

		/**
		 * A certificate must be trusted and have the name of the server.
		 */
		FULL,

		/**
		 * A certificate must be trusted.
		 */
		TRUST,

		/**
		 * They are not.
		 */
		NONE

	}

}
