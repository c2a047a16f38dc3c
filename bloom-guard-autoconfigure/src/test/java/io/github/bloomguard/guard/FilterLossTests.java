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

package io.github.bloomguard.guard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what happens when the keys in Redis are damaged behind our back.
 */
@Tag("slow")
class FilterLossTests {

	private static final long LAST = 2000;

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static GuardApplication application;

	private static final Keys keys = new Keys("products", LAST);

	private static final StateRecorder states = new StateRecorder();

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis, List.of(keys, states));
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void awaitReady() {
		application.awaitReady();
		states.seen.clear();
	}

	static Stream<Named<BiConsumer<TestRedis, String>>> damages() {
		return Stream.of(damage("bits deleted", (redis, bits) -> redis.command("DEL", bits)),
				damage("bits and config deleted", (redis, bits) -> redis.command("DEL", bits, bits + ":config")),
				damage("everything flushed", (redis, bits) -> redis.command("FLUSHALL")),
				damage("control record deleted", (redis, bits) -> redis.command("DEL", control(bits))),
				damage("all keys deleted one by one",
						(redis, bits) -> redis.keys("bloom-guard:*").forEach((key) -> redis.command("DEL", key))),
				damage("bits of the wrong type", (redis, bits) -> {
					redis.command("DEL", bits);
					redis.command("LPUSH", bits, "x");
				}), damage("bits emptied", (redis, bits) -> redis.command("SET", bits, "")),
				damage("bits cut off", (redis, bits) -> redis.command("SET", bits, "x")),
				damage("control record of the wrong type", (redis, bits) -> {
					redis.command("DEL", control(bits));
					redis.command("SET", control(bits), "x");
				}), damage("flushed and initialised anew by hand", (redis, bits) -> {
					String size = redis.command("HGET", bits + ":config", "size");
					String hashes = redis.command("HGET", bits + ":config", "hashIterations");
					redis.command("FLUSHALL");
					redis.command("HSET", bits + ":config", "size", size, "hashIterations", hashes);
				}), damage("server restarted empty", (redis, bits) -> redis.restart()));
	}

	private static Named<BiConsumer<TestRedis, String>> damage(String name, BiConsumer<TestRedis, String> damage) {
		return Named.of(name, damage);
	}

	private static String control(String bits) {
		return bits.substring(0, bits.indexOf("bits:")) + "control";
	}

	@ParameterizedTest
	@MethodSource("damages")
	void existingKeysAreNeverCalledAbsentAndTheFilterRecovers(BiConsumer<TestRedis, String> damage) {
		Recovery recovery = new Recovery(application);
		damage.accept(redis, "bloom-guard:{products}:bits:" + recovery.former());
		recovery.await(redis, LAST);
		assertThat(states.seen).contains(FilterState.LOST);
	}

	/**
	 * The server and the epoch are the same, and each string is whole.
	 */
	@Test
	void olderDataThatIsSwappedInIsALoss() {
		String former = application.products().filter().active().id();
		redis.keys("bloom-guard:*").forEach((key) -> redis.command("COPY", key, key, "DB", "1"));
		application.guard().add("products", 7_000_002);
		redis.command("SWAPDB", "0", "1");
		Awaitility.await()
			.until(() -> application.products().filter().active() == null
					|| !application.products().filter().active().id().equals(former));
		Awaitility.await().until(() -> states.seen.contains(FilterState.LOST));
	}

	@Test
	void theConfigOfRedissonIsNotNeeded() {
		String former = application.products().filter().active().id();
		redis.command("DEL", "bloom-guard:{products}:bits:" + former + ":config");
		application.guard().add("products", 7_000_001);
		assertThat(application.guard().membership("products", 7_000_001)).isEqualTo(Membership.MAYBE);
		assertThat(LongStream.rangeClosed(1, LAST)
			.filter((id) -> application.guard().membership("products", id) != Membership.MAYBE)
			.boxed()).isEmpty();
		assertThat(application.products().filter().active().id()).isEqualTo(former);
	}

	@Test
	void aDeletedJournalDoesNotMatterUntilARebuild() {
		String former = application.products().filter().active().id();
		redis.command("DEL", "bloom-guard:{products}:journal");
		application.guard().add("products", 7_000_000);
		assertThat(application.guard().membership("products", 7_000_000)).isEqualTo(Membership.MAYBE);
		assertThat(application.products().filter().active().id()).isEqualTo(former);
	}

	static class StateRecorder implements BloomGuardListener {

		private final Set<FilterState> seen = ConcurrentHashMap.newKeySet();

		@Override
		public void onStateChange(String filter, FilterState from, FilterState to, @Nullable Throwable cause) {
			this.seen.add(to);
		}

	}

}
