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

package io.github.bloomguard.library;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.logging.FailureDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link Library}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LibraryTests {

	private static final LinkageError MISSING = new NoSuchMethodError(
			"'org.redisson.config.NameMapper org.redisson.connection.ServiceManager.getNameMapper()'");

	@ParameterizedTest
	@CsvSource({ "3.16.8, true", "2.15.2, true", "3.17.0, false", "3.17.7, false", "3.27.2, false", "3.51.0, false",
			"4.0.0, false", "4.7.0, false", "5.0.0-SNAPSHOT, false", ", false", "unknown, false" })
	void versionsBeforeTheOldestAreRefused(String version, boolean older) {
		assertThat(Library.REDISSON.isOlder(version)).isEqualTo(older);
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, 42.6.2, 42.7.7", "HIBERNATE, 6.5.3.Final, 6.6.0.Final", "MONGODB, 4.11.5, 5.4.0",
			"LETTUCE, 6.5.5.RELEASE, 7.5.2.RELEASE/5728917" })
	void eachLibraryHasItsOldest(Library library, String before, String oldest) {
		assertThat(library.isOlder(before)).isTrue();
		assertThat(library.isOlder(oldest)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "3.17.7, false", "4.6.1, false", "4.7.0, false", "4.7.9, false", "4.8.0, true", "5.0.0-SNAPSHOT, true",
			", false", "unknown, false" })
	void versionAfterTheNewestIsUntried(String version, boolean newer) {
		assertThat(Library.REDISSON.isNewer(version)).isEqualTo(newer);
		assertThat(Library.LETTUCE.isNewer(version)).isFalse();
	}

	@Test
	void versionOfTheBuildIsNotUntried() {
		assertThat(Library.REDISSON.untried()).isEmpty();
	}

	@Test
	void libraryThatIsNotThereIsNoFailure() {
		assertThatNoException().isThrownBy(Library.REDISSON::require);
	}

	@Test
	void whatIsMissingIsToldWithItsLibraryAndWhatToWrite() {
		assertThat(Library.explain(new CompletionException(MISSING))).isInstanceOfSatisfying(
				InvalidGuardException.class,
				(explanation) -> assertThat(explanation)
					.hasMessageContainingAll("Redisson 3.17 or later", "ServiceManager.getNameMapper()",
							"<artifactId>redisson</artifactId><version>3.51.0</version>")
					.hasCause(MISSING));
	}

	@ParameterizedTest
	@ValueSource(strings = { "org/redisson/config/DelayStrategy", "io/lettuce/core/RedisClient",
			"redis/clients/jedis/Jedis", "org/hibernate/Session", "org/apache/ibatis/session/SqlSession",
			"com/baomidou/mybatisplus/core/mapper/BaseMapper", "org/springframework/data/redis/core/RedisTemplate",
			"org/springframework/data/jdbc/core/Any", "com/mongodb/client/MongoClient", "org/postgresql/PGConnection",
			"com/github/shyiko/mysql/binlog/event/Event" })
	void classOfALibraryIsKnown(String name) {
		assertThat(Library.explanation(new NoClassDefFoundError(name))).get()
			.extracting(InvalidGuardException::getProblem)
			.asString()
			.contains(name.replace('/', '.'));
	}

	@Test
	void whatAnApplicationMissesIsNotToldAsTheGuards() {
		LinkageError error = new NoClassDefFoundError("org/redisson/config/DelayStrategy");
		error.setStackTrace(new StackTraceElement[] { new StackTraceElement("com.acme.Service", "find", null, 1),
				new StackTraceElement("io.github.bloomguard.interceptor.SynchronousCalls", "call", null, 1) });
		assertThat(Library.explain(error)).isSameAs(error);
	}

	@Test
	void whatALibraryMissesOfAnotherIsTold() {
		LinkageError error = new NoClassDefFoundError("com/fasterxml/jackson/databind/ser/FilterProvider");
		error.setStackTrace(new StackTraceElement[] { new StackTraceElement("java.lang.Class", "forName0", null, 1),
				new StackTraceElement("org.redisson.codec.JsonJacksonCodec", "<init>", null, 1) });
		assertThat(Library.explain(new CompletionException(error))).isInstanceOfSatisfying(InvalidGuardException.class,
				(explanation) -> {
					assertThat(explanation.getProblem()).startsWith("Redisson")
						.endsWith(" lacks what it calls of another library: NoClassDefFoundError:"
								+ " com.fasterxml.jackson.databind.ser.FilterProvider");
					assertThat(explanation.getRemedy()).contains("org.redisson:redisson", "mvn dependency:tree");
				});
	}

	@Test
	void logsDoNotSayThatRedisDoesNotAnswer(CapturedOutput output) {
		CircuitBreaker breaker = CircuitBreaker.ofFilters(Duration.ofMillis(1), Duration.ofSeconds(1));
		CompletableFuture<String> answer = Attempt.of(() -> {
			throw MISSING;
		});
		assertThat(answer).isCompletedExceptionally();
		breaker.open(MISSING);
		assertThat(output).contains("Redis can't be asked, so filters are UNREACHABLE", "Redisson 3.17 or later")
			.doesNotContain("Redis does not answer");
	}

	@Test
	void failuresAreDescribedWithTheVersion() {
		assertThat(FailureDescription.of(MISSING)).contains("Redisson 3.17 or later");
	}

	@Test
	void addThatFailsSaysWhatToWrite() {
		assertThat(new KeyNotAddedException("users", Library.explain(MISSING)))
			.hasMessageContainingAll("Redis can't be asked", "<artifactId>redisson</artifactId>")
			.hasMessageNotContaining("Mend Redis");
	}

}
