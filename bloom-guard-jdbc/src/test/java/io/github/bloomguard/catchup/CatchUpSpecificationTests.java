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

package io.github.bloomguard.catchup;

import java.time.Duration;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CatchUpSpecification}.
 */
class CatchUpSpecificationTests {

	private static final String QUERY = "select id from product where id > :mark order by id";

	private static final String START = "select coalesce(max(id), 0) from product";

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	@Test
	void thereIsNoneWithoutQueries() {
		assertThat(CatchUpSpecification.of("products", null, null, INTERVAL)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { QUERY, "select id from product where id>:mark", "select :mark::bigint - 1000" })
	void queryHasAMark(String query) {
		assertThat(CatchUpSpecification.of("products", query, START, INTERVAL)).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "select id from product", "select id::mark from product", "select :marks",
			"select checkpoint" })
	void queryWithoutAMarkIsRefused(String query) {
		assertRefused(query, START, INTERVAL, "catch-up.query is '" + query + "'", "id > :mark");
	}

	@Test
	void queryWithoutAStartIsRefused() {
		assertRefused(QUERY, null, INTERVAL, "catch-up.start is not set", START);
	}

	@Test
	void startWithoutAQueryIsRefused() {
		assertRefused(null, START, INTERVAL, "catch-up.query is not set", QUERY);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1 })
	void intervalMustBePositive(long millis) {
		assertRefused(QUERY, START, Duration.ofMillis(millis),
				"bloom-guard.filters.products.catch-up.interval is " + millis + "ms", "10s");
	}

	private static void assertRefused(@Nullable String query, @Nullable String start, Duration interval, String problem,
			String remedy) {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> CatchUpSpecification.of("products", query, start, interval))
			.satisfies((ex) -> assertThat(ex.getProblem()).contains("bloom-guard.filters.products.").contains(problem))
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains(remedy));
	}

}
