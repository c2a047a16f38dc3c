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
 * Tests that log lines, failures and documents are sentences whose subject acts.
 */
class MessagesTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	/**
	 * What had to be read twice: a subject that is nobody, a question word as a subject,
	 * versions that are of before, a filter that is had loaded.
	 */
	private static final Pattern RIDDLE = Pattern.compile(
			"\\b([Nn]obody|[Ww]hoever)\\b|(^|[.:] )Who [a-z]+ [^?]*\\.|\\b(instances?|versions?|ones?) of before\\b"
					+ "|\\b([Hh]as|[Hh]ave|had) (the )?filters? (loaded|rebuilt)\\b");

	private static final Pattern NOT_PUBLISHED = Pattern
		.compile("(?!bloom-guard-)|bloom-guard-(?:benchmarks|test-support)");

	/**
	 * A call that logs or fails, up to its end.
	 */
	private static final Pattern CALL = Pattern.compile(
			"(?:\\.(?:error|warn|info)|[\\w.]*(?:Exception|invalid))\\([^;\"]*+(?:\"(?:\\\\.|[^\"\\\\])*+\"[^;\"]*+)*+;");

	private static final Pattern TEXT = Pattern.compile("\"((?:\\\\.|[^\"\\\\])*)\"");

	private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);

	@Test
	void logLinesAndFailuresHaveASubjectThatActs() throws IOException {
		List<String> messages = new ArrayList<>();
		for (Path source : files(".java")) {
			String module = ROOT.relativize(source).getName(0).toString();
			if (module.startsWith("bloom-guard-") && source.toString().contains("src/main/java")) {
				CALL.matcher(read(source))
					.results()
					.map(MatchResult::group)
					.map((call) -> TEXT.matcher(call)
						.results()
						.map((text) -> text.group(1))
						.collect(Collectors.joining()))
					.filter((message) -> message.contains(" "))
					.forEach((message) -> messages.add(source.getFileName() + ": " + message));
			}
		}
		Files.write(Path.of("target", "messages.txt"), messages);
		assertThat(messages).hasSizeGreaterThan(200).noneMatch((message) -> RIDDLE.matcher(message).find());
	}

	@Test
	void javadocHasSubjectsThatAct() throws IOException {
		assertThat(files(".java")).filteredOn((file) -> file.toString().contains("src/main/java"))
			.filteredOn((file) -> !NOT_PUBLISHED.matcher(ROOT.relativize(file).toString()).lookingAt())
			.hasSizeGreaterThan(200)
			.allSatisfy((file) -> assertThat(JAVADOC.matcher(read(file)).results().map(MatchResult::group))
				.as(file.toString())
				.map((javadoc) -> javadoc.replaceAll("\\s*\\R\\s*\\*?\\s?", " "))
				.noneMatch((javadoc) -> RIDDLE.matcher(javadoc).find()));
	}

	@Test
	void documentsHaveSubjectsThatAct() throws IOException {
		assertThat(files(".md"))
			.filteredOn((page) -> page.startsWith(ROOT.resolve("docs")) || page.getParent().equals(ROOT))
			.filteredOn((page) -> !page.endsWith("CHANGELOG.md"))
			.allSatisfy((page) -> assertThat(Files.readAllLines(page))
				.allSatisfy((line) -> assertThat(line).doesNotContainPattern(RIDDLE)));
	}

	private static List<Path> files(String extension) throws IOException {
		try (Stream<Path> files = Files.walk(ROOT)) {
			return files.filter((file) -> file.toString().endsWith(extension) && !file.toString().contains("/target/"))
				.sorted()
				.toList();
		}
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
