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

import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.CheckpointStoreContractTests;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisCheckpointStore}.
 */
class RedisCheckpointStoreTests extends CheckpointStoreContractTests {

	private static final RedisKeys KEYS = new RedisKeys("test", "products");

	private static final String CONTROL = "test:{products}:control";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	@AfterEach
	void flush() {
		redis.command("FLUSHALL");
	}

	@Override
	protected CheckpointStore newMarks(String origin) {
		return new RedisCheckpointStore(new RedisAccess(redisson, Runnable::run), KEYS, Origin.of(origin),
				Duration.ofSeconds(30));
	}

	@Override
	protected ControlStore newControl() {
		return new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS,
				new FilterSettingsBuilder().journalRetention(Duration.ZERO).addedRetention(Duration.ZERO).build(),
				Origin.of(ORIGIN), new RedisMirrorChannels(new RedisAccess(redisson, Runnable::run), "test"),
				new BitWrites(), Duration.ofSeconds(30));
	}

	@Test
	void lostRecordGetsNoMark() {
		redis.command("FLUSHALL");
		assertThat(this.checkpoints.start(this.active, new Checkpoint(1)).join()).isFalse();
		assertThat(redis.keys("*")).isEmpty();
	}

	@Test
	void lostMarkIsNotMoved() {
		this.checkpoints.start(this.active, new Checkpoint(1)).join();
		redis.command("DEL", CONTROL);
		assertThat(this.checkpoints.move(this.active, new Checkpoint(1), new Checkpoint(5)).join()).isFalse();
		redis.command("SET", CONTROL, "x");
		assertThat(this.checkpoints.move(this.active, new Checkpoint(1), new Checkpoint(5)).join()).isFalse();
		assertThat(this.checkpoints.read(this.active).join()).isEmpty();
	}

	@Test
	void turnThatSomebodyElseWroteDoesNotLastForEver() {
		redis.command("SET", "test:{products}:catch-up:origin", "x");
		assertThat(this.checkpoints.takeTurn(Duration.ofMinutes(1)).join()).isZero();
		redis.command("DEL", "test:{products}:catch-up:origin");
		redis.command("LPUSH", "test:{products}:catch-up:origin", "x");
		assertThat(this.checkpoints.takeTurn(Duration.ofMinutes(1)).join()).isZero();
	}

	@Test
	void turnEndsInTimeAlsoIfTheClockIsSetBack() {
		Duration interval = Duration.ofMinutes(1);
		this.checkpoints.takeTurn(interval).join();
		redis.command("PEXPIRE", "test:{products}:catch-up:origin", "86400000");
		assertThat(this.checkpoints.takeTurn(interval).join()).isLessThanOrEqualTo(interval);
		assertThat(this.checkpoints.takeTurn(interval).join()).isPositive();
	}

}
