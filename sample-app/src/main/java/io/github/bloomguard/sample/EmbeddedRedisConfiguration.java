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

package io.github.bloomguard.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import redis.embedded.RedisServer;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Starts a real redis-server on a free port, so that the sample needs nothing installed.
 * An application that is not a sample has no such class: it says
 * {@code spring.data.redis.host}, as one can here with the profile {@code external}.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnEmbeddedRedis.class)
class EmbeddedRedisConfiguration {

	@Bean(initMethod = "start", destroyMethod = "stop")
	RedisServer redisServer() throws IOException {
		return RedisServer.newRedisServer().port(freePort()).setting("save \"\"").build();
	}

	/**
	 * Tells the clients where the server is, in place of {@code spring.data.redis.*}.
	 * @param server a server that has been started
	 * @return where it is
	 */
	@Bean
	DataRedisConnectionDetails redisConnectionDetails(RedisServer server) {
		DataRedisConnectionDetails.Standalone standalone = DataRedisConnectionDetails.Standalone.of("127.0.0.1",
				server.ports().get(0));
		return new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return standalone;
			}

		};
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
