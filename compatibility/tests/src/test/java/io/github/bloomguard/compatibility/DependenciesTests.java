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

package io.github.bloomguard.compatibility;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests that the documentation says what an application gets with bloom-guard, and under
 * which licences.
 */
class DependenciesTests {

	private static final String OWN = "bloom-guard-";

	private static final Pattern NAME = Pattern.compile("`([^`]+)`");

	private static final Path PAGE = Path.of("../../docs/internals/dependencies.md");

	private static final Path LICENCES = Path
		.of("../../bloom-guard-starter/target/generated-sources/license/THIRD-PARTY.txt");

	@Test
	void eachJarThatIsAddedIsListedWithItsSize() throws IOException {
		Map<String, Long> added = jars("compatibility.guard");
		added.keySet().removeAll(jars("compatibility.application").keySet());
		Map<String, Long> listed = new TreeMap<>();
		for (List<String> row : rows("jar")) {
			List<String> names = NAME.matcher(row.get(0)).results().map((name) -> name.group(1)).toList();
			names.forEach((name) -> listed.put(name, added.getOrDefault(name, 0L)));
			double size = names.stream().mapToLong((name) -> added.getOrDefault(name, 0L)).sum() / 1_000.0;
			assertThat(Double.parseDouble(row.get(1).replace(",", ""))).as(row.get(0))
				.isCloseTo(size, within(names.get(0).startsWith(OWN) ? size / 5 : 1));
		}
		assertThat(listed).containsExactlyInAnyOrderEntriesOf(added);
	}

	@Test
	void numberAndSizeOfAllJarsAreRight() throws IOException {
		Map<String, Long> before = jars("compatibility.application");
		Map<String, Long> added = jars("compatibility.guard");
		added.keySet().removeAll(before.keySet());
		Matcher text = Pattern
			.compile("has (\\d+) jars \\(([\\d.]+) MB\\). With the starter it has \\*\\*(\\d+) more, ([\\d.]+) MB")
			.matcher(Files.readString(PAGE));
		assertThat(text.find()).isTrue();
		assertThat(text.group(1)).isEqualTo(String.valueOf(before.size()));
		assertThat(Double.parseDouble(text.group(2))).isCloseTo(megabytes(before), within(0.06));
		assertThat(text.group(3)).isEqualTo(String.valueOf(added.size()));
		assertThat(Double.parseDouble(text.group(4))).isCloseTo(megabytes(added), within(0.2));
	}

	/**
	 * The build of the starter has written the licences, and failed if one was none of
	 * those that it allows.
	 */
	@Test
	void eachComponentIsCountedByItsLicence() throws IOException {
		List<String> components = Files.readAllLines(LICENCES)
			.stream()
			.filter((line) -> line.startsWith("     ("))
			.toList();
		Map<String, Integer> counted = new HashMap<>();
		components.forEach((component) -> counted.merge(licences(component), 1, Integer::sum));
		Map<String, Integer> listed = new HashMap<>();
		for (List<String> row : rows("licence")) {
			listed.put(row.get(0), Integer.valueOf(row.get(1)));
		}
		assertThat(listed).containsExactlyInAnyOrderEntriesOf(counted);
		assertThat(Files.readString(PAGE)).contains("the starter's " + components.size() + " components");
	}

	private static String licences(String component) {
		return Pattern.compile("\\G ?\\(([^()]+)\\)")
			.matcher(component.strip())
			.results()
			.map((licence) -> licence.group(1))
			.collect(Collectors.joining(" or "));
	}

	/**
	 * Return the cells of the table with a first column of this name.
	 */
	private static List<List<String>> rows(String column) throws IOException {
		Matcher table = Pattern.compile("^\\| " + column + " \\|.*\\n\\|[ :|-]+\\n((?:\\|.*\\n)+)", Pattern.MULTILINE)
			.matcher(Files.readString(PAGE));
		assertThat(table.find()).as("table of " + column).isTrue();
		return Pattern.compile(".+")
			.matcher(table.group(1))
			.results()
			.map(MatchResult::group)
			.map((row) -> Stream.of(row.split("\\|")).skip(1).map(String::strip).toList())
			.toList();
	}

	private static Map<String, Long> jars(String property) throws IOException {
		return Stream.of(Files.readString(Path.of(System.getProperty(property))).strip().split(File.pathSeparator))
			.map(Path::of)
			.collect(Collectors.toMap(DependenciesTests::name, DependenciesTests::size, Long::sum, TreeMap::new));
	}

	private static String name(Path jar) {
		return jar.getFileName().toString().replaceFirst("-\\d.*\\.jar$", "");
	}

	private static long size(Path jar) {
		try {
			return Files.size(jar);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static double megabytes(Map<String, Long> jars) {
		return jars.values().stream().mapToLong(Long::longValue).sum() / 1_000_000.0;
	}

}
