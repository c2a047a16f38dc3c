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
import java.util.Set;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.ControlStore.Renewal;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordSteps;
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
 * Tests for the removal of keys in {@link RedisControlStore}.
 */
class RedisRemovalTests {

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1000, 0.01);

	private static final Duration LATELY = Duration.ofMillis(300);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final RedisKeys KEYS = new RedisKeys("test", "products");

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	private final RedisControlStore store = newStore();

	@BeforeEach
	void begin() {
		redis.command("FLUSHALL");
		activate();
		awaitThat(this.store, "the journal is complete for long enough", "any");
	}

	private static RedisControlStore newStore() {
		RedisAccess access = new RedisAccess(redisson, Runnable::run);
		return new RedisControlStore(access, KEYS, new FilterSettingsBuilder().build(), Origin.of("origin"),
				new RedisMirrorChannels(access, "test"), new BitWrites(), Duration.ofSeconds(30));
	}

	@Test
	void removedKeyIsInTheJournalAndCounted() {
		assertThat(remove("a", "b")).isEqualTo(2);
		assertThat(page().removed()).contains("a", "b");
		assertThat(page().keys()).isEmpty();
		assertThat(this.store.read().join().removed()).isEqualTo(3);
	}

	@Test
	void keyThatWasAddedLatelyIsLeft() {
		redis.command("HSET", KEYS.control(), "since", "1");
		this.store.append(List.of("a"), List.of()).join();
		assertThat(removeNow(this.store, List.of("a", "b"), HOUR)).isEqualTo(1);
		assertThat(page().removed()).doesNotContain("a").contains("b");
		awaitThat(this.store, "a was added long ago", "a");
	}

	@Test
	void keyThatIsAddedAfterwardsIsNotRemoved() {
		remove("a", "b");
		this.store.append(List.of("a"), List.of()).join();
		assertThat(page().removed()).doesNotContain("a").contains("b");
		assertThat(page().keys()).containsExactly("a");
	}

	@Test
	void keyThatWasAddedBeforeIsRemoved() {
		this.store.append(List.of("a"), List.of()).join();
		awaitThat(this.store, "a was added long ago", "a");
		assertThat(page().removed()).contains("a");
		assertThat(page().keys()).contains("a");
	}

	@Test
	void repeatedRemovalCountsOnce() {
		assertThat(remove("a")).isEqualTo(1);
		assertThat(remove("a")).isZero();
		assertThat(this.store.read().join().removed()).isEqualTo(2);
	}

	@Test
	void removalThatComesTooLateIsIgnored() {
		assertThat(this.store.remove(List.of("a"), now() - Duration.ofSeconds(11).toMillis(), now()).join()).isZero();
		assertThat(this.store.remove(List.of("a"), now() + Duration.ofMinutes(1).toMillis(), now()).join())
			.as("the clock was set back")
			.isZero();
		assertThat(this.store.remove(List.of("a"), now() - Duration.ofSeconds(9).toMillis(), now()).join())
			.isEqualTo(1);
	}

	@Test
	void nothingIsRemovedWhereAddedKeysMayHaveBeenLost() {
		redis.command("DEL", KEYS.added());
		assertThat(remove("a")).isZero();
		this.store.append(List.of("b"), List.of()).join();
		assertThat(removeNow(this.store, List.of("a"), HOUR)).as("begun anew").isZero();
		awaitThat(this.store, "the journal is complete for long enough", "a");
		redis.command("HSET", KEYS.control(), "server", "another");
		assertThat(remove("c")).isZero();
		redis.command("FLUSHALL");
		assertThat(remove("a")).isZero();
		assertThat(redis.keys("*")).isEmpty();
	}

	@Test
	void eachGenerationIsOutwornByItself() {
		remove("a");
		activate();
		assertThat(this.store.read().join().removed()).isZero();
		remove("b");
		assertThat(this.store.read().join().removed()).isEqualTo(1);
		new RecordSteps(this.store).drop(this.store.read().join().generations().stream().map(Generation::id).toList())
			.join();
		assertThat(redis.command("HKEYS", KEYS.control()).toString()).containsOnlyOnce("removed:");
	}

	@Test
	void mirrorIsToldWithTheRecord() {
		LeaseHolder holder = new LeaseHolder("me", "first");
		JournalPosition begin = this.store.acquireMirrorLease(holder).join().position();
		this.store.append(List.of("x"), List.of()).join();
		remove("a", "b");
		this.store.append(List.of("b"), List.of()).join();
		Renewal renewal = this.store.refresh(Evidence.NONE, holder, begin).join();
		assertThat(renewal.page().keys()).containsExactly("x", "b");
		assertThat(renewal.page().removed()).isEqualTo(Set.of("a"));
		assertThat(renewal.record().generations()).hasSize(1);
	}

	@Test
	void mirrorReadsWhatItsOwnInstanceAddsAfterARemoval() {
		LeaseHolder holder = new LeaseHolder("me", "first");
		JournalPosition begin = this.store.acquireMirrorLease(holder).join().position();
		remove("a", "b");
		this.store.append(List.of("b"), List.of(), new MirrorChannel.Sender("me", 1), holder).join();
		JournalPage page = this.store.refresh(Evidence.NONE, holder, begin).join().page();
		assertThat(page.keys()).containsExactly("b");
		assertThat(page.removed()).isEqualTo(Set.of("a"));
	}

	private void activate() {
		Generation generation = Generation.loading(SPECIFICATION, 1000, "origin");
		this.store.acquire("me", Duration.ofMinutes(1)).join();
		new RecordSteps(this.store).begin("me", generation, Duration.ZERO, Duration.ZERO).join();
		new RecordSteps(this.store).goLive("me", generation.id(), "").join();
		new RecordSteps(this.store).activate("me", generation.id(), this.store.read().join().journalSince()).join();
	}

	private long remove(String... keys) {
		return removeNow(this.store, List.of(keys), LATELY);
	}

	private static void awaitThat(RedisControlStore store, String what, String key) {
		Awaitility.await(what)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> removeNow(store, List.of(key), LATELY) == 1);
	}

	private static long removeNow(RedisControlStore store, List<String> keys, Duration lately) {
		long now = store.read().join().now();
		return store.remove(keys, now, now - lately.toMillis()).join();
	}

	private long now() {
		return this.store.read().join().now();
	}

	private JournalPage page() {
		return this.store.journal("0-0", 1000).join();
	}

}
