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

package io.github.bloomguard.testsupport;

import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.abortedWithReason;
import static org.junit.platform.testkit.engine.EventConditions.container;
import static org.junit.platform.testkit.engine.EventConditions.displayName;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedSuccessfully;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.cause;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

/**
 * Tests for {@link Needs}, {@link NeedsCondition} and {@link Needed}, where no MySQL
 * runs.
 */
class NeedsConditionTests {

	private static final String REASON = "tests of MySQL need -Drequire.mysql, on Linux on x86-64 with libaio.so.1 and libnuma.so.1"
			+ " (Debian: libaio1 libnuma1)";

	@Test
	void classWhoseServerDoesNotRunIsSkippedAndTheNextIsNot() {
		EngineExecutionResults results = withoutMySql(WithItsServer.class, AfterIt.class);
		results.containerEvents()
			.skipped()
			.assertEventsMatchExactly(event(container(WithItsServer.class), skippedWithReason(REASON)));
		results.testEvents().assertStatistics((tests) -> tests.started(1).succeeded(1));
	}

	@Test
	void testThatSaysWhatItNeedsIsSkippedAlone() {
		EngineExecutionResults results = withoutMySql(WithAMethodThatNeedsIt.class);
		results.testEvents().assertStatistics((tests) -> tests.skipped(1).succeeded(1));
	}

	@Test
	void rowOfAServerThatDoesNotRunIsSkippedAlone() {
		EngineExecutionResults results = withoutMySql(OfEachDatabase.class);
		results.testEvents()
			.finished()
			.assertEventsMatchExactly(event(test(), displayName("MySQL"), abortedWithReason(message(REASON))),
					event(test(), displayName("H2"), finishedSuccessfully()));
	}

	@Test
	void initialiserThatStartsAServerUnannouncedFailsEvenWhereItRuns() {
		EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
			.selectors(selectClass(Unannounced.class))
			.execute();
		results.testEvents()
			.finished()
			.assertEventsMatchExactly(event(test(), finishedWithFailure(
					cause(message((text) -> text.endsWith("Unannounced is to have @Needs(MYSQL)"))))));
	}

	private static EngineExecutionResults withoutMySql(Class<?>... tests) {
		System.setProperty(Needed.HIDDEN, Needed.MYSQL.name());
		try {
			return EngineTestKit.engine("junit-jupiter")
				.configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
				.selectors(Stream.of(tests).map((test) -> selectClass(test)).toList())
				.execute();
		}
		finally {
			System.clearProperty(Needed.HIDDEN);
		}
	}

	static class WithItsServer {

		private static final TestMySql database = TestMySql.create();

		@Test
		void isNotRun() {
			assertThat(database).isNull();
		}

	}

	static class AfterIt {

		@Test
		void isRun() {
		}

	}

	static class WithAMethodThatNeedsIt {

		@Test
		@Needs(Needed.MYSQL)
		void isNotRun() {
			throw new IllegalStateException();
		}

		@Test
		void isRun() {
		}

	}

	static class OfEachDatabase {

		static Stream<Named<Supplier<String>>> databases() {
			return Stream.of(Named.of("MySQL", () -> TestMySql.create().url()), Named.of("H2", () -> "jdbc:h2:mem:"));
		}

		@ParameterizedTest(name = "{0}")
		@MethodSource("databases")
		void isReached(Supplier<String> url) {
			assertThat(url.get()).isNotEmpty();
		}

	}

	static class Unannounced {

		private static final String url = TestMySql.create().url();

		@Test
		void isNotReached() {
			assertThat(url).isNull();
		}

	}

}
