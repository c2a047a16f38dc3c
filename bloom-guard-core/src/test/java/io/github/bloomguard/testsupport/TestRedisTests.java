package io.github.bloomguard.testsupport;

import java.io.UncheckedIOException;

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
	void replicaHasTheKeysOfItsPrimary() {
		try (TestRedis redis = TestRedis.start()) {
			redis.command("SET", "key", "value");
			try (TestRedis replica = redis.startReplica()) {
				assertThat(replica.command("GET", "key")).isEqualTo("value");
			}
		}
	}

}
