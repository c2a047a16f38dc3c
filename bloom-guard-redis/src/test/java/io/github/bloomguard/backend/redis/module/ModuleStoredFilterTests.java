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

package io.github.bloomguard.backend.redis.module;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.module.ModuleServer.Kind;
import io.github.bloomguard.filter.FilterFullException;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.StoredFilterContractTests;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link ModuleStoredFilter}, of each kind.
 */
@ParameterizedClass
@EnumSource(Kind.class)
class ModuleStoredFilterTests extends StoredFilterContractTests {

	@AutoClose
	private static final ModuleServer server = new ModuleServer();

	private final Kind kind;

	ModuleStoredFilterTests(Kind kind) {
		this.kind = kind;
	}

	@Override
	protected FilterStore newStore() {
		return server.backend(this.kind).filters();
	}

	@Override
	protected Map<String, Consumer<GenerationId>> damages() {
		TestRedis redis = server.redis();
		return Map.of("deleted", (id) -> redis.command("DEL", ModuleServer.key(id)), "everything flushed",
				(id) -> server.flush(), "a list in its place", (id) -> {
					redis.command("DEL", ModuleServer.key(id));
					redis.command("LPUSH", ModuleServer.key(id), "x");
				}, "a string in its place", (id) -> redis.command("SET", ModuleServer.key(id), "x"),
				"replaced by another filter", (id) -> {
					GenerationId other = newId();
					createSealed(other);
					redis.command("DEL", ModuleServer.key(id));
					redis.command("RENAME", ModuleServer.key(other), ModuleServer.key(id));
				}, "deleted and created anew by an add", (id) -> {
					redis.command("DEL", ModuleServer.key(id));
					redis.command("BF.ADD", ModuleServer.key(id), "other");
				}, "deleted and created as a cuckoo filter", (id) -> {
					redis.command("DEL", ModuleServer.key(id));
					redis.command("CF.ADD", ModuleServer.key(id), "other");
				});
	}

	@Test
	void damagedFilterTakesNoElementsAndIsDeleted() {
		damages().forEach((damage, consumer) -> {
			GenerationId id = newId();
			StoredFilter filter = createSealed(id);
			consumer.accept(id);
			assertIsGone(filter);
			assertThat(server.redis().command("EXISTS", ModuleServer.key(id))).as(damage).isEqualTo("0");
		});
	}

	@Test
	void sealingTwiceIsSealingOnce() {
		StoredFilter filter = createSealed(newId());
		assertThat(filter.seal().join()).isTrue();
		assertIsIntact(filter);
	}

	@Test
	void elementThatIsAddedAgainAndAgainTakesNoRoom() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		for (int i = 0; i < 50; i++) {
			filter.add(List.of("again", "again")).join();
		}
		assertIsIntact(filter);
		assertThat(filter.lookup("again").join()).isEqualTo(Membership.MAYBE);
		assertThat(filter.occupancy().join().insertions()).isLessThanOrEqualTo(4);
	}

	@Test
	void filterWithoutRoomKnowsNothingAnyMore() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		int added = 1000;
		CompletableFuture<Void> last;
		do {
			last = filter.add(elements(added, 100));
			added += 100;
		}
		while (last.handle((nothing, failure) -> failure == null).join() && added < 100_000);
		CompletableFuture<Void> refused = last;
		assertThat(added).isGreaterThan(2000);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(refused::join)
			.withCauseInstanceOf(FilterFullException.class);
		assertKnowsNothing(filter);
		assertIsGone(filter);
		assertThat(server.redis().command("EXISTS", ModuleServer.key(id))).isEqualTo("0");
	}

	@Test
	void filterThatIsToBeReplacedHasRoomLeft() {
		FilterSpecification specification = new FilterSpecification("products", 10_000, 0.01);
		StoredFilter filter = newStore().create(newId(), specification).join();
		filter.add(elements(0, 10_000)).join();
		assertThat(filter.occupancy().join().crowded()).isFalse();
		assertThat(filter.occupancy().join().falsePositiveProbability()).isBetween(0.001, 0.0101);
		int added = 10_000;
		while (!filter.occupancy().join().crowded()) {
			filter.add(elements(added, 500)).join();
			added += 500;
		}
		assertThat(added).isGreaterThan(11_500);
		Occupancy occupancy = filter.occupancy().join();
		assertThat(occupancy.insertions()).isCloseTo(added, within(added / 50L));
		assertThat(occupancy.sizeInBytes()).isGreaterThan(10_000);
		filter.add(elements(added, added / 6)).join();
	}

	@Test
	void loadThatHasNoRoomTellsHowManyElementsThereWere() throws Exception {
		FilterSpecification specification = new FilterSpecification("products", 1000, 0.01);
		try (FilterLoad load = newStore().load(newId(), specification, "", 1 << 20).join()) {
			for (int from = 0; from < 20_000; from += 500) {
				load.add(elements(from, 500));
			}
			assertThatExceptionOfType(FilterFullException.class).isThrownBy(load::endPass)
				.satisfies((ex) -> assertThat(ex.getInsertions()).isEqualTo(20_000));
		}
	}

	@Test
	void loadedFilterHasAllElements() throws Exception {
		FilterSpecification specification = new FilterSpecification("products", 10_000, 0.01);
		try (FilterLoad load = newStore().load(newId(), specification, "salt", 1 << 20).join()) {
			for (int from = 0; from < 10_000; from += 300) {
				load.add(elements(from, 300));
			}
			load.endPass();
			load.keepAlive();
			StoredFilter filter = load.filter();
			assertThat(filter.seal().join()).isTrue();
			assertThat(filter.lookup(elements(0, 10_000).stream().map("salt"::concat).toList()).join())
				.containsOnly(Membership.MAYBE);
			assertThat(filter.lookup(elements(0, 1000)).join()).contains(Membership.ABSENT)
				.doesNotContain(Membership.UNKNOWN);
		}
	}

	@Test
	void filterThatNobodyKeepsGoesAway() {
		GenerationId id = newId();
		StoredFilter filter = create(id);
		assertThat(Long.parseLong(server.redis().command("PTTL", ModuleServer.key(id)))).isBetween(1L, 60_000L);
		filter.seal().join();
		assertThat(server.redis().command("PTTL", ModuleServer.key(id))).isEqualTo("-1");
	}

	private static List<String> elements(int from, int count) {
		return IntStream.range(from, from + count).mapToObj((number) -> "element " + number).toList();
	}

}
