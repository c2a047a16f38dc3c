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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the reference of log lines against the code: each line that is written at
 * {@code INFO} or above is on the page, and the page has no other.
 */
class LogReferenceTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Path PAGE = ROOT.resolve("docs/reference/log.md");

	/**
	 * What is not an application's.
	 */
	private static final Pattern OTHER_MODULES = Pattern.compile("bloom-guard-(benchmarks|test|test-support)");

	/**
	 * A call that logs, up to its end. One whose text begins in small letters gives what
	 * another line ends with.
	 */
	private static final Pattern CALL = Pattern
		.compile("\\.(?:error|warn|info|over)\\([^;\"]*+(?:\"(?:\\\\.|[^\"\\\\])*+\"[^;\"]*+)*+;");

	private static final Pattern TEXT = Pattern.compile("\"((?:\\\\.|[^\"\\\\])*+)\"");

	private static final Pattern SHOWN = Pattern.compile("`([^`]+)`");

	/**
	 * What the page has in the place of what differs.
	 */
	private static final Pattern EXAMPLE = Pattern.compile("'[a-z]+'|(?<=\\.)products(?=\\.)|\\{product}"
			+ "|\\b\\d[\\d.:]*\\b|\\b(?:LOADING|SETTLING|PROVING|READY|LOST|OFF|SHADOW)\\b");

	/**
	 * Fewer letters than this are in any line.
	 */
	private static final int TOLD = 12;

	@Test
	void eachLineOfTheLogIsOnThePage() {
		List<List<String>> shown = shown().stream()
			.map(LogReferenceTests::pieces)
			.filter((pieces) -> pieces.stream().mapToInt(String::length).sum() >= TOLD)
			.toList();
		List<String> lines = sources()
			.flatMap((source) -> texts(CALL.matcher(source).results().map(MatchResult::group)))
			.filter((line) -> !Character.isLowerCase(line.charAt(0)) || line.startsWith("bloom-guard."))
			.filter((line) -> pieces(line).stream().mapToInt(String::length).sum() >= TOLD)
			.toList();
		assertThat(lines).hasSizeGreaterThan(60)
			.allSatisfy((line) -> assertThat(shown).as(line).anyMatch((pieces) -> hasInOrder(line, pieces)));
	}

	@Test
	void eachLineOfThePageIsOneOfTheCode() {
		List<String> texts = sources().flatMap((source) -> texts(Stream.of(source.split(";\\R")))).toList();
		assertThat(shown()).hasSizeGreaterThan(60)
			.allSatisfy((line) -> assertThat(texts).as(line).anyMatch((text) -> hasInOrder(text, pieces(line))));
	}

	/**
	 * The lines that are shown: those in the first column of a table, and those of
	 * blocks.
	 */
	private static List<String> shown() {
		String page = read(PAGE).replaceAll("(?s)## Exceptions.*", "");
		Stream<String> ofTables = page.lines()
			.filter((line) -> line.startsWith("| `"))
			.map((line) -> line.substring(0, line.indexOf(" | ")))
			.flatMap((cell) -> SHOWN.matcher(cell).results().map((shown) -> shown.group(1)));
		Stream<String> ofBlocks = Stream.of(page.split("```\\R", -1))
			.skip(1)
			.findFirst()
			.stream()
			.flatMap(String::lines);
		return Stream.concat(ofTables, ofBlocks).toList();
	}

	private static Stream<String> texts(Stream<String> statements) {
		return statements
			.map((statement) -> TEXT.matcher(statement)
				.results()
				.map((text) -> text.group(1))
				.collect(Collectors.joining()))
			.map((text) -> text.replace("\\\"", "\"").replace("''", "'…'").replaceAll("%(\\d\\$)?[,.\\d]*[sdf]", "…"))
			.filter((text) -> text.contains(" "));
	}

	/**
	 * What a line has in each case.
	 */
	private static List<String> pieces(String line) {
		return Stream.of(EXAMPLE.matcher(line).replaceAll("…").split("…"))
			.map((piece) -> piece.replaceAll("^[\\s:.,]+|[\\s:.,]+$", ""))
			.filter((piece) -> piece.length() > 3)
			.toList();
	}

	private static boolean hasInOrder(String text, List<String> pieces) {
		int at = 0;
		for (String piece : pieces) {
			at = text.indexOf(piece, at);
			if (at < 0) {
				return false;
			}
			at += piece.length();
		}
		return true;
	}

	private static Stream<String> sources() {
		List<String> sources = new ArrayList<>();
		try (Stream<Path> files = Files.walk(ROOT)) {
			files.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> ROOT.relativize(file).getName(0).toString().startsWith("bloom-guard-"))
				.filter((file) -> !OTHER_MODULES.matcher(ROOT.relativize(file).getName(0).toString()).matches())
				.filter((file) -> file.toString().contains("src/main/java"))
				.forEach((file) -> sources.add(read(file)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return sources.stream();
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
