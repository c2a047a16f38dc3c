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

package io.github.bloomguard;

import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code shard-size} does to a filter that several instances share.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ShardSizeTests {

	private static final long LAST = 2000;

	private static final String SHARD_SIZE = "bloom-guard.filters.products.shard-size=";

	@AutoClose
	private final TestRedis redis = TestRedis.start();

	@AutoClose
	private final GuardApplication builder = start(SHARD_SIZE + "4400B").awaitReady();

	@Test
	void filterIsUsedAsItWasDividedWhenItWasBuilt() {
		assertThat(shards()).hasSize(3);
		try (GuardApplication other = start(SHARD_SIZE + "1KB",
				"bloom-guard.filters.products.warm-up.on-startup=never")) {
			assertThatBothKnowAllKeys(other.awaitReady());
			assertThat(active(other)).isEqualTo(active(this.builder));
		}
	}

	@Test
	void instanceThatIsStartedWithAnotherSizeDividesTheFilterAnew() {
		String former = active(this.builder);
		try (GuardApplication other = start(SHARD_SIZE + "16MB")) {
			Awaitility.await().until(() -> !active(this.builder).equals(former));
			assertThatBothKnowAllKeys(other.awaitReady());
			Awaitility.await().until(() -> shards().isEmpty());
			assertThat(this.redis.keys("bloom-guard:{products}:bits:" + active(other))).hasSize(1);
		}
	}

	private GuardApplication start(String... properties) {
		return GuardApplication.start(this.redis, new Keys("products", LAST),
				Stream
					.concat(Stream.of("bloom-guard.filters.products.false-positive-probability=0.01"),
							Stream.of(properties))
					.toArray(String[]::new));
	}

	private List<String> shards() {
		return this.redis.keys("bloom-guard:{products:*}:bits:*");
	}

	private static String active(GuardApplication application) {
		return Objects.requireNonNull(application.products().filter().active()).id();
	}

	private void assertThatBothKnowAllKeys(GuardApplication other) {
		this.builder.guard().add("products", "one's");
		other.guard().add("products", "the other's");
		for (GuardApplication application : List.of(this.builder, other)) {
			assertThat(LongStream.rangeClosed(1, LAST).boxed())
				.allMatch((key) -> application.guard().membership("products", key) == Membership.MAYBE);
			assertThat(application.guard().membership("products", "one's")).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", "the other's")).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", "nobody's")).isEqualTo(Membership.ABSENT);
		}
	}

}
