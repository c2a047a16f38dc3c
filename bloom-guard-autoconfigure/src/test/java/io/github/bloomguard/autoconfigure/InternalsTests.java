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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the pages for developers name what there is: types, their members, and the
 * walks and flaws that the argument of the protocol rests on.
 */
class InternalsTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Pattern BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);

	private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?:\\(.*?\\))?`");

	private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum) (\\w+)");

	private static final Pattern WALK = Pattern.compile("`(an?[A-Z]\\w+|two[A-Z]\\w+)`");

	private static final Pattern FLAW = Pattern.compile("`([A-Z]+(?:_[A-Z]+)+)`");

	private static List<String> sources = List.of();

	@BeforeAll
	static void readSources() throws IOException {
		try (Stream<Path> files = Files.walk(ROOT)) {
			sources = files.filter((file) -> file.toString().endsWith(".java") && file.toString().contains("/src/"))
				.map(InternalsTests::read)
				.toList();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "architecture", "mirrors", "protocol", "tour" })
	void typesAndMembersThatAPageNamesExist(String page) {
		String text = BLOCK.matcher(page(page)).replaceAll("");
		assertThat(NAMED.matcher(text).results()).isNotEmpty()
			.allSatisfy((named) -> assertThat(sources).as(named.group())
				.anyMatch((source) -> declares(source, named.group(1))
						&& (named.group(2) == null || source.contains(named.group(2)))));
	}

	@Test
	void walksAndFlawsOfTheArgumentExist() {
		String argument = page("protocol").replaceAll("(?s).*## The argument, in order|## The seal.*", "");
		Path chaos = ROOT.resolve("bloom-guard-core/src/test/java/io/github/bloomguard/chaos");
		String walks = read(chaos.resolve("ProtocolInterleavingTests.java"));
		Set<String> planted = names(FLAW, argument);
		assertThat(names(WALK, argument)).hasSizeGreaterThan(10)
			.allSatisfy((walk) -> assertThat(walks).contains("void " + walk + "("));
		assertThat(planted).hasSizeGreaterThan(20)
			.allSatisfy((flaw) -> assertThat(walks).containsPattern(", " + flaw + "\""));
		String flaws = read(chaos.resolve("Flaw.java"));
		assertThat(Pattern.compile("^\t([A-Z_]+)[,;\n]", Pattern.MULTILINE)
			.matcher(flaws)
			.results()
			.map((flaw) -> flaw.group(1))
			.filter((flaw) -> !flaw.equals("NONE"))).as("each flaw has its claim").isSubsetOf(planted);
	}

	private static Set<String> names(Pattern pattern, String text) {
		return pattern.matcher(text)
			.results()
			.map((found) -> found.group(1))
			.filter((name) -> !name.startsWith("aBrokenRule"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static boolean declares(String source, String type) {
		return source.contains(type) && TYPE.matcher(source).results().anyMatch((found) -> found.group(1).equals(type));
	}

	private static String page(String name) {
		return read(ROOT.resolve("docs/internals/" + name + ".md"));
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
