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

import ch.qos.logback.classic.Level;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.testsupport.LogLines;
import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LettuceCommands}.
 */
class LettuceCommandsTests {

	@AutoClose
	private final LogLines lines = LogLines.of(LettuceCommands.class, Level.WARN);

	@Test
	void readingFromReplicasIsSaidToLetEvictionsLose() {
		begin(LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA_PREFERRED));
		assertThat(this.lines.lines()).singleElement()
			.asString()
			.startsWith("WARN Lettuce reads from replicas")
			.contains("a cached value may be read that was evicted already");
	}

	@Test
	void readingFromThePrimaryIsNotSaid() {
		begin(LettuceClientConfiguration.builder());
		begin(LettuceClientConfiguration.builder().readFrom(ReadFrom.UPSTREAM));
		begin(LettuceClientConfiguration.builder().readFrom(ReadFrom.valueOf("master")));
		assertThat(this.lines.lines()).isEmpty();
	}

	private static void begin(LettuceClientConfigurationBuilder client) {
		CacheClient.of(new LettuceConnectionFactory(new RedisStandaloneConfiguration(), client.build()),
				mock(CircuitBreaker.class), Runnable::run);
	}

}
