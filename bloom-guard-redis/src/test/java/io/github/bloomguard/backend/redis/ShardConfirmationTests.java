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
import java.util.List;
import java.util.concurrent.CompletionException;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestRedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that an add waits for the replicas of all servers that have a part of a filter.
 */
@Tag("slow")
class ShardConfirmationTests {

	private static final RedisKeys KEYS = new RedisKeys("test", "products");

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static TestRedisCluster cluster;

	private static RedissonClient redisson;

	private RedisControlStore store;

	@BeforeAll
	static void start() {
		cluster = TestRedisCluster.start(true);
		redisson = RedissonClients.of(cluster);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		cluster.close();
	}

	@Test
	void addIsConfirmedByTheReplicasOfEachServerThatHasAShard() {
		RedisAccess access = new RedisAccess(redisson, Runnable::run);
		this.store = new RedisControlStore(access, KEYS, new FilterSettingsBuilder().addReplicas(1).build(),
				Origin.of("origin"), new RedisMirrorChannels(access, "test"), new BitWrites(), TIMEOUT);
		Generation generation = Generation.loading(new FilterSpecification("products", 1000, 0.01, 480), 1000,
				"origin");
		assertThat(this.store.acquire("me", Duration.ofMinutes(5)).join()).isTrue();
		assertThat(new RecordSteps(this.store).begin("me", generation, Duration.ZERO, Duration.ZERO).join()).isTrue();
		assertThat(new RecordSteps(this.store).goLive("me", generation.id(), "").join()).isTrue();
		TestRedis home = cluster.primaryOf(KEYS.control());
		List<TestRedis> others = List.of(0, 1, 2)
			.stream()
			.map((shard) -> cluster.primaryOf(KEYS.bits("x", shard)))
			.filter((primary) -> primary != home)
			.distinct()
			.toList();
		assertThat(others).isNotEmpty();
		add();
		for (TestRedis other : others) {
			TestRedis replica = cluster.replicaOf(other);
			other.command("CLIENT", "KILL", "TYPE", "replica");
			replica.freeze();
			try {
				assertThatExceptionOfType(CompletionException.class).isThrownBy(this::add)
					.withMessageContaining("of 1 replicas");
			}
			finally {
				replica.thaw();
			}
		}
	}

	private void add() {
		this.store.append(List.of("a"), List.of()).join();
		this.store.confirm().join();
	}

}
