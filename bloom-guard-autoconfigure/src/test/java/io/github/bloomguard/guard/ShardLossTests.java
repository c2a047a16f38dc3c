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
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
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
 * What happens to a filter of three strings when one of them is lost.
 */
@Tag("slow")
class ShardLossTests {

	private static final long LAST = 2000;

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private static GuardApplication application;

	private static final Keys keys = new Keys("products", LAST);

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis, keys, "bloom-guard.filters.products.shard-size=4400B",
				"bloom-guard.filters.products.false-positive-probability=0.01");
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void awaitReady() {
		application.awaitReady();
	}

	static Stream<Named<BiConsumer<TestRedis, String>>> damages() {
		return Stream.of(damage("deleted", (redis, shard) -> redis.command("DEL", shard)),
				damage("emptied", (redis, shard) -> redis.command("SET", shard, "")),
				damage("cut off", (redis, shard) -> redis.command("SET", shard, "x")),
				damage("of the wrong type", (redis, shard) -> {
					redis.command("DEL", shard);
					redis.command("LPUSH", shard, "x");
				}),
				damage("on another server",
						(redis, shard) -> redis.command("SETRANGE", shard,
								String.valueOf(Long.parseLong(redis.command("STRLEN", shard)) - 48), "another")),
				damage("unsealed", (redis, shard) -> redis.command("SETRANGE", shard,
						String.valueOf(Long.parseLong(redis.command("STRLEN", shard)) - 8), "whatever")));
	}

	private static Named<BiConsumer<TestRedis, String>> damage(String name, BiConsumer<TestRedis, String> damage) {
		return Named.of(name, damage);
	}

	@ParameterizedTest
	@MethodSource("damages")
	void existingKeysAreNeverCalledAbsentAndTheFilterRecovers(BiConsumer<TestRedis, String> damage) {
		Recovery recovery = new Recovery(application);
		List<String> shards = redis.keys("bloom-guard:{products:*}:bits:" + recovery.former());
		assertThat(shards).hasSize(3);
		damage.accept(redis, shards.get(0));
		recovery.await(redis, LAST);
	}

	@Test
	void addedKeysAreInTheirShardsAfterARebuildToo() {
		BloomGuard guard = application.guard();
		List<Long> added = LongStream.range(8_000_000, 8_000_300).boxed().toList();
		added.forEach((id) -> guard.add("products", id));
		assertThat(added).allMatch((id) -> guard.membership("products", id) == Membership.MAYBE);
		guard.rebuild("products").join();
		application.awaitReady();
		assertThat(added).allMatch((id) -> guard.mightContain("products", id));
	}

}
