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

package io.github.bloomguard.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for what an application with a wrong configuration says when it does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class FailureAnalysisTests {

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	static Stream<Arguments> mistakes() {
		String number = "Set it to the number of keys that the filter will hold, at least 1.";
		String probability = "Set it to a number above 0 and below 1, such as 0.001 for one false positive in a thousand.";
		return Stream.of(
				arguments(PRODUCTS + "false-positive-probability=0", PRODUCTS + "false-positive-probability is 0.0.",
						probability),
				arguments(PRODUCTS + "false-positive-probability=1.5", PRODUCTS + "false-positive-probability is 1.5.",
						probability),
				arguments(PRODUCTS + "shard-size=1B", PRODUCTS + "shard-size is 1B.",
						"Set it to a size from 256B to 512MB, such as 16MB."),
				arguments(PRODUCTS + "shard-size=1GB", PRODUCTS + "shard-size is 1073741824B.",
						"Set it to a size from 256B to 512MB, such as 16MB."),
				arguments(PRODUCTS + "expected-insertions=0", PRODUCTS + "expected-insertions is 0.", number),
				arguments("bloom-guard.filters.orders.mode=off",
						"bloom-guard.filters.orders.expected-insertions is not set.", number),
				arguments(PRODUCTS + "expected-insertions=", PRODUCTS + "expected-insertions is not set.", number),
				arguments(PRODUCTS + "expected-insertions=1000000000000",
						PRODUCTS + "expected-insertions is 1000000000000, which needs 14377587566051 bits at a"
								+ " probability of 0.001; one filter holds at most 137438952448.",
						"Set it to at most 9559249896, or raise " + PRODUCTS + "false-positive-probability."),
				arguments("bloom-guard.filters.orders.expected-insertions=1000",
						"The filter 'orders' has no source of keys.",
						"Set bloom-guard.filters.orders.table to the table whose primary key it is, or"
								+ " bloom-guard.filters.orders.entity to the class of an entity, or bloom-guard.filters.orders.warm-up.query to a query that gives all keys, or declare a KeySource bean whose filter() is 'orders' (an empty stream if there are no rows"
								+ " yet)."),
				arguments(PRODUCTS + "warm-up.query=select id from product",
						PRODUCTS + "warm-up.query is set, but there is not one DataSource.",
						"Configure spring.datasource.url, set bloom-guard.filters.products.data-source to the name of one, mark"
								+ " one DataSource as @Primary or @BloomGuardDataSource, or declare a KeySource"
								+ " bean."),
				arguments(PRODUCTS + "table=product", PRODUCTS + "table is set, but there is not one DataSource.",
						"Configure spring.datasource.url, set bloom-guard.filters.products.data-source to the name of one, mark"
								+ " one DataSource as @Primary or @BloomGuardDataSource, or"),
				arguments(PRODUCTS + "key-columns=id",
						PRODUCTS + "key-columns is [id], but " + PRODUCTS + "table is not set.",
						"Set the table to the one that has the columns, or remove them."),
				arguments("bloom-guard.key-prefix={guard}", "bloom-guard.key-prefix is '{guard}'.",
						"Set it to a text without braces and spaces, such as bloom-guard."),
				arguments("bloom-guard.key-prefix=", "bloom-guard.key-prefix is ''.",
						"Set it to a text without braces and spaces, such as bloom-guard."),
				arguments("bloom-guard.filters[my products].expected-insertions=1000",
						"The filter name 'my products' can't be part of a Redis key.",
						"Use letters, digits, dots, dashes and underscores only below bloom-guard.filters."),
				arguments("bloom-guard.timeout=0", "bloom-guard.timeout is 0ms.", "such as 100ms."),
				arguments("bloom-guard.timeout=-1s", "bloom-guard.timeout is -1000ms.", "such as 100ms."),
				arguments("bloom-guard.add-timeout=0", "bloom-guard.add-timeout is 0ms.", "such as 1s."),
				arguments("bloom-guard.add-timeout=-1s", "bloom-guard.add-timeout is -1000ms.", "such as 1s."),
				arguments(PRODUCTS + "empty-ttl=-1s", PRODUCTS + "empty-ttl is ", "0s to remember nothing."),
				arguments(PRODUCTS + "rebuild.settle=-1s", PRODUCTS + "rebuild.settle is -1000ms.",
						"such as 10m, or to 0s if all that insert rows have the guard"),
				arguments(PRODUCTS + "verification.required-calls=-1", PRODUCTS + "verification.required-calls is -1.",
						"or to 0 to believe it at once."),
				arguments(PRODUCTS + "verification.rate=-1", PRODUCTS + "verification.rate is -1.0.",
						"such as 10, at most 100000, or to 0 for none."),
				arguments(PRODUCTS + "rebuild.settel=5m", "There is no property " + PRODUCTS + "rebuild.settel",
						"Did you mean " + PRODUCTS + "rebuild.settle?"),
				arguments(
						"bloom-guard.defaults.verification.rate=-1", PRODUCTS
								+ "verification.rate is -1.0. It was set at \"bloom-guard.defaults.verification.rate\"",
						"such as 10"),
				arguments("bloom-guard.enabled=maybe", "bloom-guard.enabled is 'maybe'.", "Write true or false."),
				arguments("bloom-guard.cache.enabled=yes", "bloom-guard.cache.enabled is 'yes'.",
						"Write true or false."),
				arguments("bloom-guard.cache.timeout=-1s", "'bloom-guard.cache.timeout' has the value '-1000ms'.",
						"Write a duration of at least 1ms, such as 100ms."),
				arguments(PRODUCTS + "rebuild.journal-retention=-1s",
						PRODUCTS + "rebuild.journal-retention is -1000ms.", "such as 10m."),
				arguments(PRODUCTS + "warm-up.query=", PRODUCTS + "warm-up.query is '', which reads nothing.",
						"Write a query, such as"),
				arguments(PRODUCTS + "warm-up.query=delete from product",
						PRODUCTS + "warm-up.query is 'delete from product', which reads nothing.",
						"Write a query, such as"),
				arguments(PRODUCTS + "warm-up.recheck-empty=-1s", PRODUCTS + "warm-up.recheck-empty is -1000ms.",
						"such as 5s, or to 0s to"),
				arguments(PRODUCTS + "warm-up.fetch-size=0", PRODUCTS + "warm-up.fetch-size is 0.", "such as 10000"),
				arguments(PRODUCTS + "warm-up.max-memory=100KB", PRODUCTS + "warm-up.max-memory is 102400B.",
						"at least 1MB"),
				arguments(PRODUCTS + "warm-up.partitions=4", PRODUCTS + "warm-up.partitions is 4, but ",
						"between :from and :to"),
				arguments(PRODUCTS + "rebuild.interval=0s", PRODUCTS + "rebuild.interval is 0ms.",
						"such as 1d, or remove it."),
				arguments(PRODUCTS + "rebuild.interval=-1h", PRODUCTS + "rebuild.interval is -3600000ms.",
						"such as 1d, or remove it."),
				arguments(PRODUCTS + "rebuild.max-false-positive-factor=0.5",
						PRODUCTS + "rebuild.max-false-positive-factor is 0.5.", "such as 2, or to 0 to never"),
				arguments(PRODUCTS + "rebuild.max-false-positive-factor=-1",
						PRODUCTS + "rebuild.max-false-positive-factor is -1.0.", "such as 2, or to 0 to never"),
				arguments(PRODUCTS + "rebuild.max-false-positive-factor=NaN",
						PRODUCTS + "rebuild.max-false-positive-factor is NaN.", "such as 2, or to 0 to never"),
				arguments(PRODUCTS + "rebuild.cron=0 25 * * *", PRODUCTS + "rebuild.cron is '0 25 * * *'.",
						"cron expression of six fields, such as '0 0 3 * * *'"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void applicationSaysWhatIsWrongAndWhatToWrite(String property, String description, String action,
			CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> GuardApplication.start(redis, List.of(new Keys("products", 1)), property).close());
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("Caused by:");
		assertThat(section(output, "Description:")).contains(description);
		assertThat(section(output, "Action:")).contains(action);
	}

	@Test
	void filterIsNotDividedIntoTooManyShards(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> GuardApplication
					.start(redis, List.of(new Keys("products", 1)), PRODUCTS + "expected-insertions=1000000000",
							PRODUCTS + "shard-size=256KB")
					.close());
		assertThat(section(output, "Description:")).contains(PRODUCTS + "shard-size is 262144B.");
		assertThat(section(output, "Action:"))
			.contains("Set it to at least 429KB, so that the filter is not divided into more than 4096 shards.");
	}

	@Test
	void databaseThatIsMissingIsNamedForTheSourceThatNeedsIt(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> GuardApplication.start(redis, List.of(), PRODUCTS + "warm-up.query=select id from product")
					.close());
		assertThat(section(output, "Description:")).contains(PRODUCTS + "warm-up.query is set");
	}

	@Test
	@SuppressWarnings("NullAway")
	void keySourceOfNoFilterIsNamed(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> GuardApplication.start(redis, List.of(new Keys("products", 1), new Keys(null, 1))).close());
		assertThat(section(output, "Description:")).contains("filter() of the KeySource ").contains("Keys is null.");
		assertThat(section(output, "Action:")).isEqualTo("Let it return one of [products].");
	}

	@Test
	void keySourceOfAFilterThatThereIsNotIsNamed(CapturedOutput output) {
		GuardApplication.start(redis, List.of(new Keys("products", 1), new Keys("prodcuts", 1))).close();
		assertThat(output).contains(
				"Keys has the keys of the filter 'prodcuts', which is not configured. Let its filter() return one of"
						+ " [products], or configure bloom-guard.filters.prodcuts");
	}

	@Test
	void questionEndsWithItsMark() {
		assertThat(new InvalidGuardFailureAnalyzer(new MockEnvironment())
			.analyze(new InvalidGuardException("The key is idd", "did you mean id?"))
			.getAction()).isEqualTo("Did you mean id?");
	}

	private static String section(CapturedOutput output, String title) {
		String text = output.toString();
		String rest = text.substring(text.indexOf(title) + title.length()).strip();
		return rest.lines().findFirst().orElseThrow();
	}

}
