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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.testsupport.LogLines;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ThrottledLog}.
 */
class ThrottledLogTests {

	private static final IllegalStateException FAILURE = new IllegalStateException("broken");

	private final AtomicLong now = new AtomicLong();

	private final ThrottledLog log = newLog();

	private LogLines lines = LogLines.of(ThrottledLogTests.class, Level.INFO);

	private ThrottledLog newLog() {
		return new ThrottledLog(LogFactory.getLog(ThrottledLogTests.class), this.now::get);
	}

	@AfterEach
	void close() {
		this.lines.close();
	}

	@Test
	void firstFailureIsWrittenAtOnceOnOneLine() {
		this.log.warn("A filter failed", FAILURE);
		assertThat(this.lines.lines())
			.containsExactly("WARN A filter failed: IllegalStateException: broken, see DEBUG for details");
		assertThat(this.lines.events()).allMatch((event) -> event.getThrowableProxy() == null);
	}

	@Test
	void oneLineAMinuteTellsHowManyWereNotWritten() {
		for (int second = 0; second <= 130; second++) {
			this.log.error("A key is missing", null);
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.lines.lines()).containsExactly("ERROR A key is missing",
				"ERROR A key is missing (59 more like this since the last line)",
				"ERROR A key is missing (59 more like this since the last line)");
	}

	@Test
	void failureIsWrittenOnceWhenManyThreadsHaveItAtTheSameTime() {
		CompletableFuture
			.allOf(IntStream.range(0, 8)
				.mapToObj((thread) -> CompletableFuture.runAsync(
						() -> IntStream.range(0, 1000).forEach((i) -> this.log.warn("A call failed", FAILURE)),
						(task) -> new Thread(task).start()))
				.toArray(CompletableFuture<?>[]::new))
			.join();
		pass(Duration.ofMinutes(1));
		this.log.warn("A call failed", FAILURE);
		assertThat(this.lines.lines()).hasSize(2);
		assertThat(this.lines.lines().stream().mapToInt(ThrottledLogTests::more).sum()).isEqualTo(7999);
	}

	@Test
	void endIsWrittenIfTheBeginningWas() {
		this.log.over("It is over");
		this.log.warn("It begins", null);
		this.log.over("It is over");
		this.log.over("It is over");
		assertThat(this.lines.lines()).containsExactly("WARN It begins", "WARN It is over");
	}

	@Test
	void whatBeginsAndEndsAllTheTimeIsNotWrittenEachTime() {
		for (int second = 0; second < 120; second++) {
			this.log.warn("It begins", null);
			this.log.over("It is over");
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.lines.lines()).hasSize(4);
	}

	@Test
	void whatBeginsAgainSoonAndGoesOnIsWrittenAfterAMinute() {
		this.log.warn("It begins", null);
		this.log.over("It is over");
		for (int second = 0; second < 65; second++) {
			this.log.warn("It begins", null);
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.lines.lines()).last().asString().startsWith("WARN It begins (60 more");
	}

	@Test
	void eachFailureIsWrittenWithItsStackTraceAtDebug() {
		this.lines.close();
		this.lines = LogLines.of(ThrottledLogTests.class, Level.DEBUG);
		for (int i = 0; i < 3; i++) {
			this.log.warn("A filter failed", FAILURE);
		}
		assertThat(this.lines.lines()).containsExactly("WARN A filter failed: IllegalStateException: broken",
				"DEBUG A filter failed", "DEBUG A filter failed", "DEBUG A filter failed");
		assertThat(this.lines.events()).filteredOn((event) -> event.getLevel() == Level.DEBUG)
			.allMatch((event) -> event.getThrowableProxy().getMessage().equals("broken"));
	}

	@Test
	void noLineIsLostToThoseOfOthers() {
		List<ThrottledLog> logs = IntStream.range(0, 50).mapToObj((i) -> newLog()).toList();
		logs.forEach((log) -> log.warn("A filter failed", null));
		logs.forEach((log) -> log.over("A filter works"));
		assertThat(this.lines.lines()).hasSize(100);
	}

	private static int more(String line) {
		Matcher matcher = Pattern.compile("(\\d+) more").matcher(line);
		return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

}
