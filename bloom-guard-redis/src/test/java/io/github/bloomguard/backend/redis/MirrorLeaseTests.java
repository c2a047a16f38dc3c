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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.ControlStore.MirrorLease;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for the holders of mirrors in {@link RedisControlStore} and their
 * {@link RedisMirrorChannels}.
 */
class MirrorLeaseTests {

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1000, 0.01);

	private static final String ME = "me";

	private static TestRedis redis;

	private static RedissonClient redisson;

	private final RedisControlStore store = newStore();

	private final RedisControlStore adder = newStore();

	private final LeaseHolder holder = new LeaseHolder(this.store.channel().instance(), "first");

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		redisson = RedissonClients.of(redis);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		redis.close();
	}

	@BeforeEach
	void begin() {
		redis.command("FLUSHALL");
		this.store.acquire(ME, Duration.ofMinutes(1)).join();
		new RecordSteps(this.store)
			.begin(ME, Generation.loading(SPECIFICATION, 1000, "origin"), Duration.ZERO, Duration.ZERO)
			.join();
	}

	private static RedisControlStore newStore() {
		return newStore(redisson);
	}

	private static RedisControlStore newStore(RedissonClient client) {
		RedisAccess access = new RedisAccess(client, Runnable::run);
		return new RedisControlStore(access, new RedisKeys("test", "products"), new FilterSettingsBuilder().build(),
				Origin.of("origin"), new RedisMirrorChannels(access, "test"), new BitWrites(), Duration.ofSeconds(30));
	}

	@Test
	void appendTellsWhoHoldsMirrorsAndWhereTheKeysAreInTheJournal() {
		assertThat(append("a").holders()).isEmpty();
		MirrorLease lease = this.store.acquireMirrorLease(this.holder).join();
		assertThat(lease.journalSince()).isEqualTo(this.store.read().join().journalSince());
		assertThat(lease.now()).isGreaterThanOrEqualTo(lease.position().millis());
		Appended appended = append("b", "c");
		assertThat(appended.holders()).containsExactly(this.holder);
		assertThat(appended.position()).isGreaterThan(lease.position());
		assertThat(this.store.journal(lease.position().toString(), 10).join().last())
			.isEqualTo(appended.position().toString());
	}

	@Test
	void holderThatBeginsAnewTakesThePlaceOfItself() {
		LeaseHolder second = new LeaseHolder(this.holder.instance(), "second");
		this.store.acquireMirrorLease(this.holder).join();
		this.store.acquireMirrorLease(second).join();
		assertThat(append("a").holders()).containsExactly(second);
		this.store.releaseMirrorLease(this.holder).join();
		assertThat(append("a").holders()).as("left as another incarnation").containsExactly(second);
		this.store.releaseMirrorLease(second).join();
		assertThat(append("a").holders()).isEmpty();
	}

	@Test
	void nobodyHoldsAMirrorOfAJournalThatIsNotThere() {
		redis.command("FLUSHALL");
		assertThatException().isThrownBy(() -> this.store.acquireMirrorLease(this.holder).join());
		assertThat(redis.keys("*")).isEmpty();
	}

	@Test
	void nobodyHoldsAMirrorOfAJournalThatIsNotCompleteYet() {
		long now = this.store.read().join().now();
		redis.command("HSET", "test:{products}:control", "since", String.valueOf(now + 60_000));
		assertThatException().isThrownBy(() -> this.store.acquireMirrorLease(this.holder).join());
		assertThat(append("a").holders()).isEmpty();
		redis.command("HSET", "test:{products}:control", "since", String.valueOf(now));
		this.store.acquireMirrorLease(this.holder).join();
		assertThat(append("b").holders()).containsExactly(this.holder);
	}

	@Test
	void refreshBringsTheJournalAndTellsWhetherTheHolderIsKnown() {
		append("before");
		MirrorLease lease = this.store.acquireMirrorLease(this.holder).join();
		append("a", "b");
		Renewal renewal = this.store.refresh(Evidence.NONE, this.holder, lease.position()).join();
		assertThat(renewal.listed()).isTrue();
		assertThat(renewal.more()).isFalse();
		assertThat(renewal.page().keys()).containsExactly("a", "b");
		assertThat(renewal.record()).usingRecursiveComparison()
			.ignoringFields("now")
			.isEqualTo(this.store.read().join());
		Renewal next = this.store.refresh(Evidence.NONE, this.holder, JournalPosition.of(renewal.page().last())).join();
		assertThat(next.page().keys()).isEmpty();
		assertThat(next.page().last()).isEmpty();
		Renewal other = this.store
			.refresh(Evidence.NONE, new LeaseHolder(this.holder.instance(), "other"), JournalPosition.START)
			.join();
		assertThat(other.listed()).isFalse();
		assertThat(other.page().keys()).isEmpty();
	}

	@Test
	void longJournalIsReadInPages() {
		MirrorLease lease = this.store.acquireMirrorLease(this.holder).join();
		List<String> keys = IntStream.range(0, 1500).mapToObj(String::valueOf).toList();
		this.adder.append(keys.subList(0, 800), List.of()).join();
		this.adder.append(keys.subList(800, 1500), List.of()).join();
		Renewal renewal = this.store.refresh(Evidence.NONE, this.holder, lease.position()).join();
		assertThat(renewal.more()).isTrue();
		assertThat(renewal.page().keys()).isEqualTo(keys.subList(0, 1000));
		assertThat(this.store.journal(renewal.page().last(), 1000).join().keys()).isEqualTo(keys.subList(1000, 1500));
	}

	@Test
	void keysOfTheMirrorsOwnInstanceAreLeftOutOfWhatItReads() {
		MirrorLease lease = this.store.acquireMirrorLease(this.holder).join();
		MirrorChannel.Sender sender = new MirrorChannel.Sender(this.holder.instance(), 7);
		List<String> own = IntStream.range(0, 2900).mapToObj(String::valueOf).toList();
		append("a");
		this.store.append(own.subList(0, 800), List.of(), sender, this.holder).join();
		this.store.append(own.subList(800, 2900), List.of(), sender, this.holder).join();
		JournalPosition last = append("c").position();
		Renewal renewal = this.store.refresh(Evidence.NONE, this.holder, lease.position()).join();
		assertThat(renewal.page().keys()).containsExactly("a");
		assertThat(renewal.more()).isTrue();
		JournalPage rest = this.store.journal(renewal.page().last(), 1000, this.holder).join();
		assertThat(rest.keys()).containsExactly("c");
		assertThat(rest.last()).isEqualTo(last.toString());
		this.store.acquireMirrorLease(new LeaseHolder(this.holder.instance(), "second")).join();
		assertThat(
				this.store.refresh(Evidence.NONE, new LeaseHolder(this.holder.instance(), "second"), lease.position())
					.join()
					.page()
					.keys())
			.as("a mirror that was made later")
			.contains("a", "0");
	}

	@Test
	void holderIsRevokedUnlessItHasReadTheKeysMeanwhileOrBegunAnew() {
		MirrorLease lease = this.store.acquireMirrorLease(this.holder).join();
		JournalPosition lacking = append("a").position();
		assertThat(this.adder.revokeMirrorLease(new LeaseHolder(this.holder.instance(), "former"), lacking).join())
			.isFalse();
		assertThat(append("b").holders()).containsExactly(this.holder);
		this.store.refresh(Evidence.NONE, this.holder, lease.position()).join();
		assertThat(this.adder.revokeMirrorLease(this.holder, lacking).join()).isFalse();
		JournalPosition next = append("c").position();
		assertThat(append("d").holders()).as("has read the key").containsExactly(this.holder);
		assertThat(this.adder.revokeMirrorLease(this.holder, next).join()).isTrue();
		assertThat(append("e").holders()).isEmpty();
		assertThat(this.store.refresh(Evidence.NONE, this.holder, lacking).join().listed()).isFalse();
	}

	@Test
	void keysAreSentToMirrorsWhichConfirmThem() {
		Messages mirror = new Messages();
		Messages waiting = new Messages();
		this.store.channel().open(mirror).join();
		this.adder.channel().open(waiting).join();
		MirrorChannel.Sender sender = new MirrorChannel.Sender(this.adder.channel().instance(), 7);
		this.adder.append(List.of("nobody holds a mirror"), List.of(), sender, null).join();
		this.store.acquireMirrorLease(this.holder).join();
		this.adder.append(List.of("ä€😀", "b:1,", ""), List.of(), sender, null).join();
		mirror.await("added " + sender + " [ä€😀, b:1,, ]");
		this.store.channel().acknowledge(sender, this.holder);
		this.store.channel().announce(this.holder, new JournalPosition(12, 3));
		this.store.channel().announceEnd(this.holder);
		waiting.await("added " + sender + " [ä€😀, b:1,, ]", "confirmed 7 " + this.holder,
				"applied " + this.holder + " 12-3", "ended " + this.holder);
		assertThat(mirror.received).as("of others").doesNotContain("confirmed 7 " + this.holder);
		this.store.channel().close();
		this.adder.channel().close();
		Awaitility.await().until(() -> redis.command("PUBSUB", "CHANNELS", "test:mirrors*").isBlank());
	}

	@Test
	void keysAreSentToMirrorsOfTheSameDatabaseOnly() {
		RedissonClient neighbour = RedissonClients.of(redis, (config) -> config.useSingleServer().setDatabase(1));
		try {
			RedisControlStore otherMirror = newStore(neighbour);
			RedisControlStore otherAdder = newStore(neighbour);
			otherMirror.acquire(ME, Duration.ofMinutes(1)).join();
			new RecordSteps(otherMirror)
				.begin(ME, Generation.loading(SPECIFICATION, 1000, "origin"), Duration.ZERO, Duration.ZERO)
				.join();
			LeaseHolder otherHolder = new LeaseHolder(otherMirror.channel().instance(), "other");
			this.store.acquireMirrorLease(this.holder).join();
			otherMirror.acquireMirrorLease(otherHolder).join();
			Messages mine = new Messages();
			Messages others = new Messages();
			this.store.channel().open(mine).join();
			otherMirror.channel().open(others).join();
			MirrorChannel.Sender other = new MirrorChannel.Sender(otherAdder.channel().instance(), 8);
			otherAdder.append(List.of("of database 1"), List.of(), other, null).join();
			append("of database 0");
			others.await("added " + other + " [of database 1]");
			mine.await("added " + new MirrorChannel.Sender(this.adder.channel().instance(), 0) + " [of database 0]");
			this.store.channel().close();
			otherMirror.channel().close();
		}
		finally {
			neighbour.shutdown();
		}
	}

	@Test
	void adderOfAnyDatabaseHearsOfMirrorsWhoseKeysAreSentElsewhere() {
		RedissonClient neighbour = RedissonClients.of(redis, (config) -> config.useSingleServer().setDatabase(1));
		try {
			RedisControlStore other = newStore(neighbour);
			Messages waiting = new Messages();
			other.channel().open(waiting).join();
			List<String> holder = List.of("products", this.holder.instance(), this.holder.incarnation());
			publish("test:mirrors", "applied", holder, "12-3");
			publish("test:mirrors", "ended", holder, "");
			publish("test:mirrors:" + other.channel().instance(), "confirmed", holder, "7");
			waiting.await("applied " + this.holder + " 12-3", "ended " + this.holder, "confirmed 7 " + this.holder);
			other.channel().close();
		}
		finally {
			neighbour.shutdown();
		}
	}

	private static void publish(String channel, String kind, List<String> about, String what) {
		List<String> parts = Stream.of(List.of(kind), about, List.of(what)).flatMap(List::stream).toList();
		redis.command("PUBLISH", channel, new String(Netstrings.encode(parts), StandardCharsets.UTF_8));
	}

	@Test
	void whatIsNoMessageIsIgnored() {
		Messages messages = new Messages();
		this.store.channel().open(messages).join();
		for (String message : List.of("", "x", "3:abc,", "99999999999:", "5:added,8:products,1:i,9:1")) {
			redis.command("PUBLISH", "test:mirrors", message);
		}
		this.adder.channel().announceEnd(this.holder);
		messages.await("ended " + this.holder);
		this.store.channel().close();
	}

	private Appended append(String... keys) {
		return this.adder.append(List.of(keys), List.of()).join();
	}

	private static final class Messages implements MirrorChannel.Receiver {

		private final Queue<String> received = new ConcurrentLinkedQueue<>();

		@Override
		public void added(MirrorChannel.Sender adder, List<String> keys) {
			this.received.add("added " + adder + " " + keys);
		}

		@Override
		public void acknowledged(long token, LeaseHolder by) {
			this.received.add("confirmed " + token + " " + by);
		}

		@Override
		public void applied(LeaseHolder holder, JournalPosition position) {
			this.received.add("applied " + holder + " " + position);
		}

		@Override
		public void ended(LeaseHolder holder) {
			this.received.add("ended " + holder);
		}

		void await(String... expected) {
			Awaitility.await().untilAsserted(() -> assertThat(this.received).containsExactlyInAnyOrder(expected));
		}

	}

}
