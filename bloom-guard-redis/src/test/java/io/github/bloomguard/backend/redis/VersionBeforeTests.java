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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.lua.LuaFile;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Instances of two versions beside each other, as in a rollout. The version before made
 * each step of a builder by a script of its own; these scripts are kept here.
 */
class VersionBeforeTests {

	private static final String ORIGIN = "origin";

	private static final Duration LEASE = Duration.ofMinutes(1);

	private static final Duration HOUR = Duration.ofHours(1);

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	private final RedisKeys keys = new RedisKeys("test", "products");

	private final RedisControlStore store = store(this.keys);

	private final StepsBefore before = new StepsBefore(this.keys);

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	private static RedisControlStore store(RedisKeys keys) {
		return store(keys, ORIGIN);
	}

	private static RedisControlStore store(RedisKeys keys, String origin) {
		RedisAccess access = new RedisAccess(redisson, Runnable::run);
		return new RedisControlStore(access, keys, new FilterSettingsBuilder().build(), Origin.of(origin),
				new RedisMirrorChannels(access, "test"), new BitWrites(), Duration.ofSeconds(30));
	}

	@Test
	void bothLeaveTheSameFieldsAfterEachStep() {
		RedisKeys others = new RedisKeys("other", "products");
		StepsBefore before = new StepsBefore(others);
		RedisControlStore beside = store(others);
		Generation first = generation();
		Generation second = generation();
		for (RedisControlStore each : List.of(this.store, beside)) {
			each.append(List.of("a"), List.of()).join();
			each.acquire("me", LEASE).join();
		}
		for (Generation next : List.of(first, second)) {
			new RecordSteps(this.store).begin("me", next, HOUR, HOUR).join();
			before.begin("me", next);
			assertThat(fields(this.keys)).isEqualTo(fields(others));
			new RecordSteps(this.store).goLive("me", next.id(), "shapes").join();
			before.goLive("me", next.id());
			assertThat(fields(this.keys)).isEqualTo(fields(others));
			long epoch = this.store.read().join().epoch();
			new RecordSteps(this.store).activate("me", next.id(), this.store.read().join().journalSince()).join();
			assertThat(this.store.read().join().epoch()).isGreaterThan(epoch);
			before.activate("me", next.id(), beside.read().join().journalSince());
			assertThat(fields(this.keys)).isEqualTo(fields(others));
		}
		assertThat(new RecordSteps(this.store).retire("me").join()).extracting(Generation::id)
			.containsExactly(first.id());
		before.retire("me");
		new RecordSteps(this.store).drop(List.of(first.id(), second.id())).join();
		before.drop(first.id(), second.id());
		assertThat(fields(this.keys)).isEqualTo(fields(others)).containsKey("g:" + second.id());
	}

	/**
	 * Return the fields of the record, those of times without their values.
	 */
	private static Map<String, String> fields(RedisKeys keys) {
		Map<String, String> fields = new TreeMap<>(
				redisson.<String, String>getMap(keys.control(), StringCodec.INSTANCE).readAllMap());
		fields.replaceAll((field, value) -> value.matches("\\d{13,16}(-\\d+)?") ? "a time" : value);
		return fields;
	}

	@Test
	void eachGoesOnWithWhatTheOtherHasBuilt() {
		Generation theirs = generation();
		this.store.acquire("they", LEASE).join();
		this.before.begin("they", theirs);
		this.before.goLive("they", theirs.id());
		this.before.activate("they", theirs.id(), this.store.read().join().journalSince());
		this.store.release("they").join();
		assertThat(active()).isEqualTo(theirs.id());
		Generation mine = generation();
		this.store.acquire("me", LEASE).join();
		assertThat(new RecordSteps(this.store).begin("me", mine, HOUR, Duration.ZERO).join()).isTrue();
		assertThat(new RecordSteps(this.store).goLive("me", mine.id(), "").join()).isTrue();
		assertThat(
				new RecordSteps(this.store).activate("me", mine.id(), this.store.read().join().journalSince()).join())
			.isTrue();
		assertThat(active()).isEqualTo(mine.id());
		this.store.release("me").join();
		Generation next = generation();
		this.store.acquire("they", LEASE).join();
		this.before.begin("they", next);
		this.before.goLive("they", next.id());
		this.before.activate("they", next.id(), this.store.read().join().journalSince());
		assertThat(active()).isEqualTo(next.id());
		assertThat(this.store.read().join().generations()).extracting(Generation::phase)
			.containsExactlyInAnyOrder(Phase.RETIRED, Phase.RETIRED, Phase.ACTIVE);
	}

	@Test
	void builderOfOneIsFencedByThatOfTheOther() {
		Generation mine = generation();
		this.store.acquire("me", LEASE).join();
		new RecordSteps(this.store).begin("me", mine, HOUR, Duration.ZERO).join();
		this.store.release("me").join();
		this.store.acquire("they", LEASE).join();
		Generation theirs = generation();
		this.before.begin("they", theirs);
		assertThat(new RecordSteps(this.store).goLive("me", mine.id(), "").join()).isFalse();
		assertThat(this.store.read().join().generations()).extracting(Generation::id, Generation::phase)
			.containsExactlyInAnyOrder(tuple(mine.id(), Phase.RETIRED), tuple(theirs.id(), Phase.LOADING));
	}

	@Test
	void recordOfANewerFormIsNotBelievedAndNoKeyCountsAsAdded() {
		this.store.append(List.of("a"), List.of()).join();
		redis.command("HSET", this.keys.control(), "form", "2");
		assertThatThrownBy(() -> this.store.read().join()).hasCauseInstanceOf(NewerRecordException.class);
		assertThatThrownBy(() -> this.store.append(List.of("b"), List.of()).join())
			.hasCauseInstanceOf(NewerRecordException.class);
		assertThat(this.store.journal("0-0", 10).join().keys()).as("nothing is lost").containsExactly("a", "b");
	}

	@Test
	void generationInAPhaseOfANewerVersionIsWrittenAndNotAsked() {
		Generation theirs = generation();
		this.store.acquire("they", LEASE).join();
		new RecordSteps(this.store).begin("they", theirs, HOUR, Duration.ZERO).join();
		new RecordSteps(this.store).goLive("they", theirs.id(), "").join();
		String later = RecordReply.describe(theirs).replaceFirst("LOADING", "FROZEN") + "|more";
		redis.command("HSET", this.keys.control(), "g:" + theirs.id(), later);
		ControlRecord record = this.store.read().join();
		assertThat(record.active(ORIGIN)).isNull();
		assertThat(record.live()).extracting(Generation::id).containsExactly(theirs.id());
		new RecordSteps(this.store).switchTo(new ModeSwitch(FilterMode.SHADOW, Instant.now(), null)).join();
		assertThat(redis.command("HGET", this.keys.control(), "g:" + theirs.id())).contains(later);
	}

	@Test
	void modeOfANewerVersionLetsCallsPass() {
		this.store.append(List.of("a"), List.of()).join();
		redis.command("HSET", this.keys.control(), "mode", "PARANOID|1|ops");
		assertThat(this.store.read().join().switched().mode()).isEqualTo(FilterMode.OFF);
	}

	@Test
	void neitherABuildNorAMirrorReadsAJournalWithEntriesOfANewerVersion() {
		LeaseHolder holder = new LeaseHolder("instance", "incarnation");
		this.store.append(List.of("a"), List.of()).join();
		JournalPosition after = this.store.acquireMirrorLease(holder).join().position();
		String end = redis.command("XADD", this.keys.journal(), "*", "hashes", "abc").strip();
		redis.command("HSET", this.keys.control(), "end", end);
		assertThatThrownBy(() -> this.store.journal("0-0", 10).join()).hasMessageContaining("newer version");
		assertThatThrownBy(() -> this.store.refresh(Evidence.NONE, holder, after).join())
			.hasMessageContaining("newer version");
		assertThat(this.store.append(List.of("b"), List.of()).join().record().journalSince()).as("adds go on")
			.isPositive();
	}

	@Test
	void checkpointOfANewerVersionIsNone() {
		Generation theirs = generation();
		this.store.acquire("they", LEASE).join();
		new RecordSteps(this.store).begin("they", theirs, HOUR, Duration.ZERO).join();
		RedisCheckpointStore checkpoints = new RedisCheckpointStore(new RedisAccess(redisson, Runnable::run), this.keys,
				Origin.of(ORIGIN), Duration.ofSeconds(30));
		checkpoints.start(theirs.id(), new Checkpoint(7)).join();
		assertThat(checkpoints.read(theirs.id()).join()).contains(new Checkpoint(7));
		redis.command("HSET", this.keys.control(), "m:" + theirs.id(), "snapshot|7:7:");
		assertThat(checkpoints.read(theirs.id()).join()).isEmpty();
	}

	/**
	 * The stored record is that of an application whose database ignores case and
	 * accents, in release candidate 1.
	 */
	@Test
	void keysReachTheGenerationOfReleaseCandidate1InItsForms() {
		String origin = "0f1e2d3c4b5a6978-8796a5b4c3d2e1f0.1122334455667788-99aabbccddeeff00~abe";
		redis.command("HSET", this.keys.control(), "g:" + "a".repeat(24),
				"ACTIVE|1000|0.01|500|0123456789abcdef|" + origin + "|1796000000000|16777216", "form", "1", "epoch",
				"1796000000000000", "used:" + origin, "1796000000000");
		String mine = Origin.located(Origin.inThisForm("0f1e2d3c4b5a6978"), "8796a5b4c3d2e1f0",
				"1122334455667788-99aabbccddeeff00~ACCENTS+BEYOND_ALPHABETS+CASE:abe");
		ControlRecord record = store(this.keys, mine).read().join();
		assertThat(record.active(mine)).isNull();
		assertThat(record.live()).singleElement()
			.satisfies((generation) -> assertThat(generation.elements(List.of("Jos\u00e9")))
				.containsExactly("0123456789abcdefjose"));
		assertThat(record.trust().rollout().foreign()).isEqualTo(record.trust().rollout().rival()).isPositive();
	}

	private String active() {
		ControlRecord record = this.store.read().join();
		return record.active(ORIGIN).id();
	}

	private static Generation generation() {
		return Generation.loading(new FilterSpecification("products", 1000, 0.01), 500, ORIGIN);
	}

	/**
	 * The steps of a builder by the scripts of the version before.
	 */
	private record StepsBefore(RedisKeys keys) {

		private static final String FUNCTIONS = RunId.SCRIPT + "local settling, lasting = "
				+ ControlRecord.LEASE_ENDS.toMillis() + ", 600000\n" + script("functions");

		private static String script(String name) {
			return LuaFile.read(VersionBeforeTests.class, "version-before/" + name);
		}

		void begin(String token, Generation generation) {
			String described = RecordReply.describe(generation);
			run("begin", token, generation.id(), described.substring(described.indexOf('|') + 1),
					String.valueOf(HOUR.toMillis()), String.valueOf(HOUR.toMillis()));
		}

		void goLive(String token, String id) {
			run("go-live", token, id, "shapes");
		}

		void activate(String token, String id, long since) {
			run("activate", token, id, String.valueOf(since));
		}

		void retire(String token) {
			commands().list(this.keys.record(), FUNCTIONS + script("retire"), token, String.valueOf(HOUR.toMillis()))
				.join();
		}

		void drop(String... ids) {
			run("drop", ids);
		}

		private void run(String script, String... arguments) {
			assertThat(commands().test(this.keys.record(), FUNCTIONS + script(script), (Object[]) arguments).join())
				.as(script)
				.isTrue();
		}

		private static PrimaryCommands commands() {
			return new RedisAccess(redisson, Runnable::run).commands(Duration.ofSeconds(30), 1);
		}

	}

}
