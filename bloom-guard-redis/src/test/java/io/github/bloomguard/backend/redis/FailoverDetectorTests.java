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
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.Membership;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestRedisCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FailoverDetector} with a record and a filter of three shards in a real
 * cluster.
 */
@Tag("slow")
class FailoverDetectorTests {

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1000, 0.01, 480);

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static TestRedisCluster cluster;

	private static RedissonClient redisson;

	private static RedisAccess access;

	private final RedisKeys keys = new RedisKeys(UUID.randomUUID().toString(), "products");

	private final GenerationId id = new GenerationId("products", UUID.randomUUID().toString());

	private RedisControlStore control;

	private StoredFilter filter;

	@BeforeAll
	static void start() {
		cluster = TestRedisCluster.start(true);
		redisson = RedissonClients.of(cluster);
		access = new RedisAccess(redisson, Runnable::run);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		cluster.close();
	}

	@BeforeEach
	void seeWhereEverythingIs() {
		this.control = newControl(access);
		this.filter = newStore(access).create(this.id, SPECIFICATION).join();
		this.filter.add(List.of("present")).join();
		this.filter.seal().join();
		this.control.append(List.of("present"), List.of()).join();
		// so that the primaries are known that there are since the last test
		Awaitility.await()
			.ignoreExceptions()
			.until(() -> access.replicationIds().take().join().replicationIds().size() == 3);
		assertThat(read().sameServer()).isTrue();
		assertThat(this.filter.isIntact().join()).isTrue();
	}

	private RedisControlStore newControl(RedisAccess access) {
		return new RedisControlStore(access, this.keys, new FilterSettingsBuilder().build(), Origin.of("origin"),
				new RedisMirrorChannels(access, "test"), new BitWrites(), TIMEOUT);
	}

	private RedisFilterStore newStore(RedisAccess access) {
		return new RedisFilterStore(access, this.keys.prefix(), TIMEOUT, TIMEOUT);
	}

	private ControlRecord read() {
		return this.control.read().join();
	}

	private String shard(int number) {
		return this.keys.bits(this.id.id(), number);
	}

	private String server(TestRedis node) {
		return node.command("INFO", "server")
			.lines()
			.filter((line) -> line.startsWith("run_id:"))
			.findFirst()
			.orElseThrow()
			.substring("run_id:".length())
			.strip();
	}

	@Test
	void recordThatWasMovedIsTrustedOnItsNewServer() {
		TestRedis to = cluster.moveSlotOf(this.keys.control());
		assertThat(read().sameServer()).isTrue();
		assertThat(to.command("HGET", this.keys.control(), "server")).isEqualTo(server(to));
		cluster.moveSlotOf(this.keys.control());
		assertThat(read().sameServer()).isTrue();
		assertThat(newControl(access).read().join().sameServer()).as("by everybody").isTrue();
	}

	@Test
	void shardThatWasMovedIsTrustedOnItsNewServer() {
		for (int shard = 0; shard < 3; shard++) {
			cluster.moveSlotOf(shard(shard));
		}
		assertThat(this.filter.isIntact().join()).isTrue();
		assertThat(this.filter.lookup(List.of("present", "absent")).join()).containsExactly(Membership.MAYBE,
				Membership.ABSENT);
		assertThat(newStore(access).open(this.id, SPECIFICATION).isIntact().join()).isTrue();
	}

	@Test
	void shardIsReadAndWrittenWhileItIsMoved() {
		for (int shard = 0; shard < 3; shard++) {
			cluster.moveSlotOf(shard(shard), () -> {
				List<String> more = List.of(UUID.randomUUID().toString(), UUID.randomUUID().toString(),
						UUID.randomUUID().toString(), UUID.randomUUID().toString());
				this.filter.add(more).join();
				assertThat(this.filter.lookup(more).join()).containsOnly(Membership.MAYBE);
				assertThat(this.filter.isIntact().join()).isTrue();
			});
		}
	}

	@Test
	void promotedReplicaIsNotTrusted() {
		cluster.failOver(cluster.primaryOf(this.keys.control()));
		cluster.failOver(cluster.primaryOf(shard(0)));
		assertThat(awaitAnswer(() -> read().sameServer())).isFalse();
		assertThat(awaitAnswer(() -> this.filter.isIntact().join())).isFalse();
	}

	@Test
	void whatWasMovedFromAPromotedReplicaIsNotTrusted() {
		for (String key : List.of(this.keys.control(), shard(1))) {
			cluster.failOver(cluster.primaryOf(key));
			cluster.moveSlotOf(key);
		}
		assertThat(awaitAnswer(() -> read().sameServer())).isFalse();
		assertThat(awaitAnswer(() -> this.filter.isIntact().join())).isFalse();
	}

	@Test
	void replicaThatWasPromotedWhereAKeyWasMovedIsNotTrusted() {
		for (String key : List.of(this.keys.control(), shard(2))) {
			TestRedis to = cluster.moveSlotOf(key);
			cluster.failOver(to);
		}
		assertThat(awaitAnswer(() -> read().sameServer())).isFalse();
		assertThat(awaitAnswer(() -> this.filter.isIntact().join())).isFalse();
	}

	@Test
	void whatWasMovedIsNotTrustedIfThePrimaryHasBeenReplacedFromWhichItCame() {
		TestRedis from = cluster.primaryOf(this.keys.control());
		cluster.moveSlotOf(this.keys.control());
		cluster.failOver(from);
		assertThat(awaitAnswer(() -> read().sameServer())).isFalse();
	}

	@Test
	void whoDoesNotKnowWhereAKeyWasWaitsForSomebodyWhoDoes() {
		cluster.moveSlotOf(this.keys.control());
		RedisControlStore other = newControl(new RedisAccess(redisson, Runnable::run));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> other.read().join())
			.withCauseInstanceOf(RedisUnavailableException.class);
		assertThat(read().sameServer()).isTrue();
		assertThat(other.read().join().sameServer()).isTrue();
	}

	/**
	 * A client that does not know all primaries yet can't tell.
	 */
	private static boolean awaitAnswer(BooleanSupplier answer) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(15))
			.ignoreExceptions()
			.until(() -> Optional.of(answer.getAsBoolean()), Optional::isPresent)
			.orElseThrow();
	}

}
