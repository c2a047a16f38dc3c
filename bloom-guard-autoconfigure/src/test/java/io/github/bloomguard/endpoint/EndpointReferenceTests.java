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

package io.github.bloomguard.endpoint;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.feed.FeedProgress;
import io.github.bloomguard.warmup.WarmUpProgress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the reference of the endpoint is complete.
 */
class EndpointReferenceTests {

	private static final Path DOCS = Path.of("..", "docs");

	@Test
	void eachFieldOfAReportIsOnThePageOfTheEndpoint() throws IOException {
		String page = Files.readString(DOCS.resolve("reference/endpoint.md"));
		assertThat(fields()).allSatisfy((field) -> assertThat(page).contains("`" + field + "`"));
	}

	@ParameterizedTest
	@EnumSource
	void eachStateIsExplainedAndOnThePageOfTheEndpoint(FilterState state) throws IOException {
		assertThat(Files.readString(DOCS.resolve("reference/endpoint.md"))).contains("`" + state + "`");
		assertThat(Files.readAllLines(DOCS.resolve("concepts/life-of-a-filter.md")))
			.anyMatch((line) -> line.startsWith("### ") && line.contains("`" + state + "`"));
	}

	private static Stream<String> fields() {
		return Stream
			.of(FilterReport.class, FilterReport.Mirror.class, FilterReport.Requests.class, FilterReport.Proof.class,
					FilterReport.Verification.class, FilterReport.Instance.class, WarmUpProgress.class,
					FeedProgress.class, KeyReport.class)
			.flatMap((report) -> Arrays.stream(report.getRecordComponents()))
			.map(RecordComponent::getName);
	}

}
