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

package io.github.bloomguard.testsupport;

import java.io.UncheckedIOException;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TestRedis}.
 */
class TestRedisTests {

	@Test
	void restartedServerIsEmpty() {
		try (TestRedis redis = TestRedis.start()) {
			redis.command("SET", "key", "value");
			assertThat(redis.command("GET", "key")).isEqualTo("value");
			redis.kill();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> redis.command("PING"));
			redis.restart();
			assertThat(redis.command("GET", "key")).isEqualTo("(nil)");
		}
	}

	@Test
	void serverOfAnotherOnTheSamePortIsNotTakenForItsOwn() {
		try (TestRedis redis = TestRedis.start()) {
			assertThatExceptionOfType(TestRedis.EndedException.class)
				.isThrownBy(() -> new TestRedis(redis.port(), List.of()));
		}
	}

	@Test
	void replicaHasTheKeysOfItsPrimary() {
		try (TestRedis redis = TestRedis.start()) {
			redis.command("SET", "key", "value");
			try (TestRedis replica = redis.startReplica()) {
				assertThat(replica.command("GET", "key")).isEqualTo("value");
			}
		}
	}

}
