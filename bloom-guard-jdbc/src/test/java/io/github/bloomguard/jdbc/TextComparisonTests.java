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

package io.github.bloomguard.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.filter.AsciiFolding;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeySpellings;
import io.github.bloomguard.filter.TextForms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link TextComparison}, and for what {@link TextForms} makes of it, with real
 * databases.
 */
@Tag("slow")
class TextComparisonTests {

	private static final String CASE = "ignores case";

	private static final String OTHERS = ", some of other characters than ASCII";

	private static final KeyFormat format = new KeyFormat(List.of());

	@ParameterizedTest
	@MethodSource
	void equalityIsThatOfTheColumn(TextColumn column, String expected) {
		column.table(List.of("Bob"));
		assertThat(forms(column, "select content from texts")).hasToString(expected);
	}

	static Stream<Arguments> equalityIsThatOfTheColumn() {
		String accents = CASE + ", accents" + OTHERS;
		String padded = CASE + ", accents, blanks at the end" + OTHERS;
		String blanks = "ignores blanks at the end";
		return Stream.of(arguments(TextColumn.postgres("text"), "exact"),
				arguments(TextColumn.postgres("char(50)"), blanks),
				arguments(TextColumn.postgres("citext"), CASE + OTHERS),
				arguments(TextColumn.postgres("text collate \"primary\""), accents),
				arguments(TextColumn.postgres("text collate \"tertiary\""),
						"ignores some of other characters than ASCII"),
				arguments(TextColumn.postgres("text collate \"shifted\""), "unknown"),
				arguments(TextColumn.postgres("text collate \"numeric\""), "unknown"),
				arguments(TextColumn.mariaDb("utf8mb4_general_ci"), padded),
				arguments(TextColumn.mariaDb("utf8mb4_bin"), blanks),
				arguments(TextColumn.mariaDb("utf8mb4_nopad_bin"), "exact"),
				arguments(TextColumn.mariaDb("latin1_swedish_ci"), CASE + ", blanks at the end" + OTHERS),
				arguments(TextColumn.mySql("utf8mb4_0900_ai_ci"), accents),
				arguments(TextColumn.mySql("utf8mb4_bin"), blanks),
				arguments(TextColumn.mySql("utf8mb4_0900_as_cs"), "ignores some of other characters than ASCII"),
				arguments(TextColumn.h2("varchar(50)"), "exact"), arguments(TextColumn.h2("char(50)"), blanks),
				arguments(TextColumn.h2("varchar_ignorecase(50)"), CASE + OTHERS),
				arguments(TextColumn.h2IgnoringCase(), CASE + OTHERS),
				arguments(TextColumn.hsqldb("varchar(50)"), blanks), arguments(TextColumn.sqlite("text"), "exact"),
				arguments(TextColumn.sqlite("text collate nocase"), CASE),
				arguments(TextColumn.sqlite("text collate rtrim"), blanks));
	}

	@Test
	void equalityOfSeveralColumnsJoinsWhatAnyOfThemDoes() {
		TextColumn column = TextColumn.postgres("citext");
		column.table(List.of("Bob"));
		assertThat(forms(column, "select id, content, content::char(5) as c from texts;"))
			.hasToString("ignores case, blanks at the end" + OTHERS);
		assertThat(ignored(column, "select id, content::text from texts")).isEqualTo(KeyEquality.EXACT);
		assertThat(ignored(column, "select id, id::bigint from texts")).isEqualTo(KeyEquality.EXACT);
	}

	@Test
	void queryThatCannotBeComparedIsUnknownUnlessItHasNoText() {
		TextColumn column = TextColumn.mariaDb("utf8mb4_bin");
		column.table(List.of("Bob"));
		assertThat(ignored(column, "select content, content from texts")).isEqualTo(KeyEquality.UNKNOWN);
		assertThat(ignored(column, "select id, id from texts")).isEqualTo(KeyEquality.EXACT);
	}

	@Test
	void columnThatTakesNoTextIsExact() {
		TextColumn column = TextColumn.postgres("text");
		JdbcTemplate template = column.table(List.of("Bob"));
		template.execute("drop type if exists state cascade");
		template.execute("create type state as enum ('ON', 'OFF')");
		assertThat(ignored(column, "select 'ON'::state as s from texts")).isEqualTo(KeyEquality.EXACT);
		assertThat(ignored(column, "select gen_random_uuid() as u from texts")).isEqualTo(KeyEquality.EXACT);
	}

	@ParameterizedTest
	@MethodSource("io.github.bloomguard.jdbc.TextColumn#all")
	void keyThatTheDatabaseFindsIsNotAbsent(TextColumn column) {
		List<String> texts = Stream
			.of(words(), characters(0, 0x180), characters(0x2000, 0x2010), characters(0x212a, 0x212b),
					characters(0x1e90, 0x1e9f), characters(0xff00, 0xff5e))
			.flatMap((some) -> some)
			.distinct()
			.toList();
		assertThat(hidden(column, texts)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("io.github.bloomguard.jdbc.TextColumn#all")
	@Tag("nightly")
	void noTextOfTheBasicMultilingualPlaneThatTheDatabaseFindsIsAbsent(TextColumn column) {
		List<String> texts = Stream.concat(words(), characters(0, 0xffff)).distinct().toList();
		assertThat(hidden(column, texts)).isEmpty();
	}

	/**
	 * Whatever a language makes of letters, also of several.
	 */
	@ParameterizedTest
	@MethodSource("io.github.bloomguard.jdbc.TextColumn#ofAllCollations")
	@Tag("proof")
	void noWordThatTheDatabaseFindsIsAbsentInAnyCollation(TextColumn column) {
		String letters = "abcdefghijklmnopqrstuvwxyz01";
		List<String> syllables = letters.chars()
			.mapToObj(Character::toString)
			.flatMap((one) -> Stream.concat(Stream.of(one),
					letters.chars().mapToObj((other) -> one + Character.toString(other))))
			.toList();
		List<String> words = Stream
			.of(words(), syllables.stream(), syllables.stream().map((syllable) -> syllable + syllable),
					syllables.stream().map((syllable) -> syllable.charAt(0) + syllable),
					syllables.stream()
						.flatMap((syllable) -> letters.chars()
							.mapToObj((letter) -> syllable + Character.toString(letter))),
					characters(0, 0x250))
			.flatMap((some) -> some)
			.distinct()
			.toList();
		assertThat(hidden(column, words)).isEmpty();
	}

	private static Set<Difference> ignored(TextColumn column, String query) {
		return source(column, query).ignored();
	}

	private static TextForms forms(TextColumn column, String query) {
		JdbcKeySource source = source(column, query);
		Set<Difference> ignored = source.ignored();
		return new TextForms(ignored, source.letters().map(AsciiFolding::new).orElse(null), KeySpellings.UNKNOWN);
	}

	private static JdbcKeySource source(TextColumn column, String query) {
		return new JdbcKeySource("products", column.source().get(), query, null, 100);
	}

	/**
	 * Return texts that the database calls equal and of which a filter with the one would
	 * call the other absent.
	 */
	private static List<String> hidden(TextColumn column, List<String> texts) {
		JdbcTemplate template = column.table(texts);
		TextForms forms = forms(column, "select content from texts");
		List<String> hidden = new ArrayList<>();
		for (Collection<String> equal : classes(column, template, texts)) {
			Map<List<String>, String> stored = new HashMap<>();
			equal.forEach((text) -> stored.put(forms.stored(format.format(text)), text));
			for (String text : equal) {
				List<String> asked = forms.asked(format.format(text));
				if (asked != TextForms.CANNOT_TELL) {
					stored.forEach((others, other) -> {
						if (Collections.disjoint(others, asked)) {
							hidden.add("'" + text + "' is absent beside '" + other + "'");
						}
					});
				}
			}
		}
		return hidden;
	}

	private static Collection<Collection<String>> classes(TextColumn column, JdbcTemplate template,
			List<String> texts) {
		Map<Integer, Collection<String>> classes = new LinkedHashMap<>();
		template.query(column.hasWindows() ? "select id, min(id) over (partition by content) from texts"
				: "select t.id, f.id from texts t join"
						+ " (select min(id) as id, content from texts group by content) f on f.content = t.content",
				(row) -> {
					classes.computeIfAbsent(row.getInt(2), (first) -> new ArrayList<>()).add(texts.get(row.getInt(1)));
				});
		assertThat(classes.values().stream().mapToInt(Collection::size).sum()).isEqualTo(texts.size());
		return classes.values();
	}

	private static Stream<String> words() {
		return Stream.of("Bob", "bob", "BOB", "B\u00f6b", "Bob ", "Bob  ", " bob", "Bo b", "b-ob", "straße", "strasse",
				"STRASSE", "7", "07", " 7", "7 ", "7.0", "7e0", "7E0", "7\u00e90", "\uff17", "a01", "a1", "jose\u0301",
				"jos\u00e9", "Jose", "\ufb01n", "fin", "cscs", "ccs", "a\\b", "A\\B", "A\\b ", "it's", "IT'S",
				"8a6e0804-2bd0-4672-b79d-d97027f9071a", "8A6E0804-2BD0-4672-B79D-D97027F9071A",
				"8A6E0804-2BD0-4672-B79D-D97027F9071A ", "\ud83d\ude00", "\ud83d\ude01", "", " ", "M\u00fcller",
				"MULLER", "mueller", "myller", "\u0141\u00f3d\u017a", "Lodz", "\u00c6r\u00f8", "aero", "aeroe",
				"\u0418\u0432\u0430\u043d", "\u5317\u4eac", "K\u00e5", "kaa", "ka", "\u01c6", "d\u017e", "dz",
				"7\u00e90 ", "\u00fe\u00f0", "thd", "O\u0308l", "\u00d6l", "ol", "oel");
	}

	private static Stream<String> characters(int from, int to) {
		return IntStream.rangeClosed(from, to)
			.filter((character) -> character != 0 && !Character.isSurrogate((char) character))
			.mapToObj(Character::toString)
			.flatMap((character) -> Stream.of(character, "a" + character, "A" + character + "b"));
	}

}
