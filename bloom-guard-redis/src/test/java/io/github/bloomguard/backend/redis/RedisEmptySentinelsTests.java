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

package io.github.bloomguard.backend.redis;

import java.time.Duration;

import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.sentinel.EmptySentinels;
import io.github.bloomguard.sentinel.EmptySentinelsContractTests;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisEmptySentinels}.
 */
class RedisEmptySentinelsTests extends EmptySentinelsContractTests {

	private static final RedisKeys KEYS = new RedisKeys("test", "products");

	private static final String CONTROL = "test:{products}:control";

	private static final String ADDED = "test:{products}:added";

	private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(20);

	private static final long EPOCH = 42;

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	private final RedisEmptySentinels sentinels = newSentinels(redisson, LONGEST_TRANSACTION, TTL, ORIGIN);

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	private static void prepareRecord() {
		redis.command("HSET", CONTROL, "epoch", String.valueOf(EPOCH), "since", "0");
		redis.command("ZADD", ADDED, "+inf", "");
	}

	@Override
	protected EmptySentinels newSentinels(String origin, Duration addedRetention) {
		return newSentinels(redisson, Duration.ZERO, addedRetention, origin);
	}

	private static RedisEmptySentinels newSentinels(RedissonClient client, Duration longestTransaction,
			Duration addedRetention, String origin) {
		return new RedisEmptySentinels(new RedisAccess(client, Runnable::run), KEYS,
				new FilterSettingsBuilder().longestTransaction(longestTransaction)
					.journalRetention(Duration.ZERO)
					.addedRetention(addedRetention)
					.build(),
				Origin.of(origin), Duration.ofSeconds(30));
	}

	@Override
	protected ControlStore newControl(Duration addedRetention) {
		return new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS,
				new FilterSettingsBuilder().journalMemory(1 << 20).addedRetention(addedRetention).build(),
				Origin.of(ORIGIN), new RedisMirrorChannels(new RedisAccess(redisson, Runnable::run), "test"),
				new BitWrites(), Duration.ofSeconds(30));
	}

	@Test
	void nothingIsLeftOfASentinelAfterItsTime() {
		prepareRecord();
		remember("7", Duration.ofMillis(100));
		Awaitility.await().until(() -> redis.keys("*empty*").isEmpty());
	}

	@Test
	void keyIsNotedAsAddedForItsTime() {
		prepareRecord();
		add("7", now() - TTL.toMillis() / 2);
		remember("7", TTL);
		assertThat(contains("7")).isFalse();
		add("7", now() - TTL.toMillis());
		remember("7", TTL);
		assertThat(contains("7")).isTrue();
	}

	@Test
	void nothingIsRememberedWhileItIsNotKnownWhichKeysWereAddedLately() {
		prepareRecord();
		redis.command("DEL", ADDED);
		remember("7", TTL);
		assertThat(contains("7")).isFalse();
		redis.command("ZADD", ADDED, "+inf", "");
		since(now());
		remember("7", TTL);
		assertThat(contains("7")).isFalse();
		since(now() - LONGEST_TRANSACTION.toMillis());
		remember("7", TTL);
		assertThat(contains("7")).isTrue();
	}

	@Test
	void sentinelDoesNotCountWithoutItsRecord() {
		prepareRecord();
		remember("7", TTL);
		redis.command("DEL", CONTROL);
		assertThat(contains("7")).isFalse();
		remember("7", TTL);
		assertThat(contains("7")).isFalse();
	}

	@Test
	void replicaThatStillRemembersIsNotAsked() {
		try (TestRedis replica = redis.startReplica()) {
			RedissonClient client = RedissonClients.readingFrom(redis, replica);
			try {
				prepareRecord();
				remember("7", TTL);
				Awaitility.await().until(() -> replica.keys("*empty*").size() == 1);
				replica.command("REPLICAOF", "NO", "ONE");
				redis.command("DEL", redis.keys("*empty*").iterator().next());
				assertThat(replica.keys("*empty*")).hasSize(1);
				assertThat(newSentinels(client, Duration.ZERO, TTL, ORIGIN).contains("7", "").join()).isFalse();
			}
			finally {
				client.shutdown();
			}
		}
	}

	private static void add(String key, long at) {
		redis.command("ZADD", ADDED, String.valueOf(at), ":" + key);
	}

	private static void since(long since) {
		redis.command("HSET", CONTROL, "since", String.valueOf(since));
	}

	/**
	 * Return the time of the server in milliseconds: it runs on this machine.
	 */
	private static long now() {
		return System.currentTimeMillis();
	}

	private void remember(String key, Duration ttl) {
		this.sentinels.remember(key, "", ttl, EPOCH).join();
	}

	private boolean contains(String key) {
		return this.sentinels.contains(key, "").join();
	}

}
