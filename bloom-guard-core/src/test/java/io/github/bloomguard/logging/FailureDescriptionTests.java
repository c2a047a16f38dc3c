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

package io.github.bloomguard.logging;

import java.net.ConnectException;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.client.RedisException;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link FailureDescription} and {@link LogText}.
 */
class FailureDescriptionTests {

	private static final String SQL = "select secret from product";

	static Stream<Arguments> failures() {
		SQLException sql = new SQLException("relation does not exist, near '" + SQL + "'", "42P01", 1146);
		return Stream.of(arguments(new IllegalStateException("broken"), "IllegalStateException: broken"),
				arguments(new IllegalStateException("broken", new TimeoutException()),
						"IllegalStateException: broken, caused by TimeoutException"),
				arguments(new CompletionException(new ExecutionException(new IllegalStateException("broken"))),
						"IllegalStateException: broken"),
				arguments(new IllegalStateException(), "IllegalStateException"),
				arguments(new NoClassDefFoundError("com/acme/Product"), "NoClassDefFoundError: com/acme/Product"),
				arguments(new InvalidGuardException("The filter is too small", "Enlarge it"),
						"The filter is too small: Enlarge it"),
				arguments(new CompletionException(new RedisUnavailableException("no answer in time", sql)),
						"no answer in time"),
				arguments(sql,
						"SQLException (SQL state 42P01, code 1146: the database refuses the statement, or the user may not run it)"),
				arguments(new BadSqlGrammarException("StatementCallback", SQL, sql),
						"BadSqlGrammarException, caused by SQLException (SQL state 42P01, code 1146: the database refuses the statement, or the user may not run it)"),
				arguments(new IllegalStateException(sql),
						"SQLException (SQL state 42P01, code 1146: the database refuses the statement, or the user may not run it)"),
				arguments(
						new CannotGetJdbcConnectionException("No connection to " + SQL,
								new SQLException("no", "08001", new ConnectException("Connection refused"))),
						"CannotGetJdbcConnectionException, caused by ConnectException: Connection refused"
								+ " (SQL state 08001: the database can't be reached)"),
				arguments(new DataIntegrityViolationException("Key (id)=(4711) already exists"),
						"DataIntegrityViolationException"),
				arguments(new RedisException("ERR. channel: [id: 1] command: (EVAL), params: [return redis.call()]"),
						"RedisException"),
				arguments(catchThrowable(() -> Long.valueOf("secret")), "NumberFormatException"),
				arguments(catchThrowable(() -> UUID.fromString("secret")), "IllegalArgumentException"),
				arguments(catchThrowable(() -> LocalDate.parse("secret")), "DateTimeParseException"),
				arguments(
						catchThrowable(() -> new SpelExpressionParser().parseExpression("nope").getValue(new Object())),
						"SpelEvaluationException: EL1008E: Property or field 'nope' cannot be found on object of type"
								+ " 'java.lang.Object' - maybe not public or not valid?"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void failureIsDescribedWithoutStatementsAndParameters(Throwable failure, String description) {
		assertThat(FailureDescription.of(failure)).isEqualTo(description);
	}

	@Test
	void addressThatRefusesTheConnectionIsTold() {
		RedisClient client = RedisClient.create("redis://127.0.0.1:1");
		try {
			assertThat(FailureDescription.of(catchThrowable(client::connect)))
				.startsWith("RedisConnectionException, caused by ")
				.contains("ConnectException", "127.0.0.1:1");
		}
		finally {
			client.shutdown(0, 0, TimeUnit.SECONDS);
		}
	}

	@Test
	void messageIsOneShortLine() {
		assertThat(FailureDescription.of(new IllegalStateException("broken\nERROR forged\u001b[2J")))
			.isEqualTo("IllegalStateException: broken\\u000aERROR forged\\u001b[2J");
		assertThat(FailureDescription.of(new IllegalStateException("x".repeat(10_000)))).hasSizeLessThan(300)
			.endsWith("x…");
	}

	@Test
	void stateThatSaysWhatToLookAtIsToldInWords() {
		assertThat(FailureDescription.of(new SQLException("role \"me\" does not exist", "28000"))).isEqualTo(
				"SQLException (SQL state 28000: the database refuses the user or the password of the DataSource)");
		assertThat(FailureDescription.of(new SQLException("no", "3D000"))).contains("URL", "does not exist");
		assertThat(FailureDescription.of(new SQLException("no", "7"))).isEqualTo("SQLException (SQL state 7)");
	}

	@Test
	void whatTheGuardSaysItselfIsNotCutBeforeItSaysWhatToDo() {
		assertThat(FailureDescription.of(new InvalidGuardException("x".repeat(500), "Write y"))).endsWith("Write y");
	}

	@Test
	void charactersThatAreNoneToBeReadAreWrittenAsTheirCodes() {
		assertThat(LogText.of("a\r\n\u0085\u2028\u2029\u202e\u0000b"))
			.isEqualTo("a\\u000d\\u000a\\u0085\\u2028\\u2029\\u202e\\u0000b");
		assertThat(LogText.of("Größe 7 / 日本")).isEqualTo("Größe 7 / 日本");
		assertThat(LogText.of(null)).isEqualTo("null");
	}

}
