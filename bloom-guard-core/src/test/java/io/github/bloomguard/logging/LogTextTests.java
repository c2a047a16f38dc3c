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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LogText}.
 */
class LogTextTests {

	@ParameterizedTest
	@CsvSource(delimiter = ' ', textBlock = """
			jdbc:mysql://user:password@host/db jdbc:mysql://host
			jdbc:mysql://host:3306/db?user=a&password=b jdbc:mysql://host:3306
			jdbc:postgresql://[::1]:5432/db jdbc:postgresql://[::1]:5432
			jdbc:postgresql://one:5432,two/db?password=a jdbc:postgresql://one:5432,two
			jdbc:sqlserver://host:1433;user=a;password=b jdbc:sqlserver://host:1433
			jdbc:mysql:loadbalance://host,other/db jdbc:mysql:loadbalance://host,other
			redis://:password@host:6379/0 redis://host:6379
			""")
	void urlIsToldBySchemeAndServers(String url, String told) {
		assertThat(LogText.server(url)).isEqualTo(told);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mysql://address=(host=h)(port=1)(password=secret)/db",
			"jdbc:mysql://(host=h,password=secret)/db", "jdbc:mysql://user:sec/ret@host/db",
			"jdbc:mysql://user:sec?ret@host/db", "jdbc:mysql://user:sec@ret@host/db",
			"jdbc:mysql://secret:secret@host,user:secret@other/db", "jdbc:oracle:thin:scott/secret@//host:1521/db",
			"jdbc:h2:mem:secret;PASSWORD=secret", "jdbc:mysql://host/db?password=secret@ret", "secret" })
	void urlWhoseServersAreNotCertainIsNotTold(String url) {
		assertThat(LogText.server(url)).doesNotContain("sec", "ret", "(");
	}

	@Test
	void textIsOneLine() {
		assertThat(LogText.of("a\nb")).isEqualTo("a\\u000ab");
	}

}
