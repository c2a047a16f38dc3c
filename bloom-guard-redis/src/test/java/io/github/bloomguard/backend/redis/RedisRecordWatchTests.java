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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.generation.RecordWatch.Sight;
import io.github.bloomguard.generation.RecordWatch.Watched;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisRecordWatch}.
 */
class RedisRecordWatchTests {

	private static final int FILTERS = 20;

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	private final RedisAccess access = new RedisAccess(redisson, Runnable::run);

	private final Map<String, ControlStore> stores = new TreeMap<>();

	private final List<Watched> watched = new ArrayList<>();

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	private RedisRecordWatch start(String prefix) {
		RedisBackend backend = new RedisBackend(() -> this.access, prefix, Duration.ofSeconds(10));
		IntStream.range(0, FILTERS).forEach((i) -> activate("f" + i, backend));
		return new RedisRecordWatch(this.access, prefix, new BitWrites(), Duration.ofSeconds(10));
	}

	private void activate(String filter, RedisBackend backend) {
		ControlStore store = backend.control(new FilterSettingsBuilder().name(filter).build(), Origin.of("origin"));
		RecordSteps steps = new RecordSteps(store);
		Generation generation = Generation.loading(new FilterSpecification(filter, 1000, 0.01), 1000, "origin");
		store.acquire("me", Duration.ofMinutes(1)).join();
		steps.begin("me", generation, Duration.ZERO, Duration.ZERO).join();
		backend.filters().create(generation.bits(), generation.specification()).join().seal().join();
		steps.goLive("me", generation.id(), "").join();
		ControlRecord started = store.refresh(Evidence.NONE).join();
		assertThat(steps.activate("me", generation.id(), started.journalSince()).join()).isTrue();
		this.stores.put(filter, store);
		this.watched.add(read(filter));
	}

	private Watched read(String filter) {
		ControlRecord record = store(filter).refresh(Evidence.NONE).join();
		return new Watched(filter, record, Objects.requireNonNull(record.active("origin")), "origin");
	}

	private ControlStore store(String filter) {
		return Objects.requireNonNull(this.stores.get(filter));
	}

	private Set<String> changed(RedisRecordWatch watch) {
		Set<String> all = new TreeSet<>(this.stores.keySet());
		all.removeAll(watch.look(this.watched).join().unchanged());
		return all;
	}

	@Test
	void lookAtManyFiltersAtWhichNothingHappensTakesAFewCommands() {
		RedisRecordWatch watch = start("bloom-guard");
		assertThat(changed(watch)).isEmpty();
		long before = commands();
		assertThat(changed(watch)).isEmpty();
		assertThat(commands() - before).isLessThanOrEqualTo(6);
	}

	@Test
	void timeIsThatOfTheServer() {
		RedisRecordWatch watch = start("bloom-guard");
		Sight sight = watch.look(this.watched).join();
		assertThat(sight.now()).isBetween(this.watched.get(0).record().now(), read("f0").record().now());
	}

	@ParameterizedTest
	@MethodSource("changes")
	void changeOfOneFilterIsSeenAndOthersAreAsTheyWere(BiConsumer<RedisRecordWatchTests, RedisKeys> change) {
		RedisRecordWatch watch = start("bloom-guard");
		change.accept(this, new RedisKeys("bloom-guard", "f7"));
		assertThat(changed(watch)).containsExactly("f7");
	}

	/**
	 * One command can't read all records if it is not known what the names have in
	 * common.
	 */
	@ParameterizedTest
	@MethodSource("changes")
	void changeIsAlsoSeenIfEachRecordIsReadByACommandOfItsOwn(BiConsumer<RedisRecordWatchTests, RedisKeys> change) {
		RedisRecordWatch watch = start("bloom*guard");
		assertThat(changed(watch)).isEmpty();
		change.accept(this, new RedisKeys("bloom*guard", "f7"));
		assertThat(changed(watch)).containsExactly("f7");
	}

	static Stream<Named<BiConsumer<RedisRecordWatchTests, RedisKeys>>> changes() {
		return Stream.of(
				Named.of("a key is added", (test, keys) -> test.store("f7").append(List.of("a"), List.of()).join()),
				Named.of("the mode is switched",
						(test, keys) -> new RecordSteps(test.store("f7"))
							.switchTo(new ModeSwitch(FilterMode.OFF, Instant.EPOCH, "alice"))
							.join()),
				Named
					.of("a key was found that is called absent",
							(test, keys) -> test.store("f7")
								.refresh(new Evidence(List.of(), List.of(), List.of("00000001"), false, false))
								.join()),
				Named.of("a caller has found a row that no source has",
						(test, keys) -> test.store("f7")
							.refresh(new Evidence(List.of(), List.of(), List.of(), false, true))
							.join()),
				Named.of(
						"another generation is built", (test,
								keys) -> new RecordSteps(test.store("f7"))
									.begin("me",
											Generation.loading(new FilterSpecification("f7", 1000, 0.01), 1000,
													"origin"),
											Duration.ZERO, Duration.ZERO)
									.join()),
				Named.of("the record is deleted", (test, keys) -> redis.command("DEL", keys.control())),
				Named.of("the record is no hash", (test, keys) -> redis.command("SET", keys.control(), "x")),
				Named.of("the journal is deleted", (test, keys) -> redis.command("DEL", keys.journal())),
				Named.of("the keys added lately are deleted", (test, keys) -> redis.command("DEL", keys.added())),
				Named.of("the bits are deleted",
						(test, keys) -> redis.command("DEL", keys.bits(test.watched.get(7).active().id()))),
				Named.of("the record names another server",
						(test, keys) -> redis.command("HSET", keys.control(), "server", "0".repeat(40))));
	}

	@Test
	void namesThatWereLostAreWrittenAgain() {
		RedisRecordWatch watch = start("bloom-guard");
		watch.look(this.watched).join();
		redis.command("EVAL", "for _, key in ipairs(redis.call('keys', '*:filters:*')) do redis.call('del', key) end",
				"0");
		assertThat(changed(watch)).isEmpty();
		long before = commands();
		assertThat(changed(watch)).isEmpty();
		assertThat(commands() - before).isLessThanOrEqualTo(6);
	}

	@Test
	void useOfAnOriginIsNoted() {
		RedisRecordWatch watch = start("bloom-guard");
		String control = new RedisKeys("bloom-guard", "f7").control();
		redis.command("HSET", control, "used:origin", "1");
		watch.look(this.watched).join();
		assertThat(Long.parseLong(redis.command("HGET", control, "used:origin")))
			.isGreaterThanOrEqualTo(this.watched.get(7).record().now());
	}

	private static long commands() {
		return redis.command("INFO", "stats")
			.lines()
			.filter((line) -> line.startsWith("total_commands_processed:"))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
			.findFirst()
			.orElseThrow();
	}

}
