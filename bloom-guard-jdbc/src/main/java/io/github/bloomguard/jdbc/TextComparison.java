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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.filter.TextForms;

/**
 * Asks a database which texts are equal in the columns of a query: each text of a list is
 * compared with all others, in a union with the column, which gives the texts its type
 * and collation. What catalogues and drivers say of collations is not true everywhere.
 * <p>
 * The lists have printable ASCII, alone and between letters, what collations contract or
 * expand, and one of each kind of characters that any collation is known to ignore or
 * equate. Equalities unknown to {@link TextForms} leave the equality unknown.
 */
public final class TextComparison {

	/**
	 * SQL states of values that are not of the column's type, such as of an enum.
	 */
	private static final String NO_TEXT = "22";

	private static final List<String> ALONE = Stream.concat(Stream.of("", "a "), printable()).toList();

	private static final List<String> BETWEEN = Stream
		.concat(Stream.of("ab"), printable().map((character) -> "a" + character + "b"))
		.toList();

	/**
	 * ASCII texts to compare other letters with: characters, and those pairs that any
	 * language or transcription makes of one letter.
	 */
	private static final List<String> ASCII = Stream
		.concat(ALONE.stream(),
				Stream.of("aa", "ae", "ao", "au", "av", "ch", "dh", "dj", "ds", "dz", "ee", "ff", "fi", "fl", "gh",
						"gj", "hv", "ij", "ia", "io", "iu", "ja", "jo", "ju", "kh", "kj", "ks", "lj", "ll", "ly", "ng",
						"nj", "ny", "oe", "oi", "oo", "ou", "ph", "ps", "sch", "sh", "ss", "st", "sz", "tc", "th", "ts",
						"tz", "ue", "uu", "vv", "vy", "ya", "ye", "yi", "yo", "yu", "zh"))
		.toList();

	private static final List<String> LETTERS = List.of("ccs", "cscs", "ddz", "dzdz", "ddzs", "dzsdzs", "ggy", "gygy",
			"lly", "lyly", "nny", "nyny", "ssz", "szsz", "tty", "tyty", "zzs", "zszs", "ch", "c", "ll", "l", "dz", "z",
			"d", "aa", "a", "ae", "oe", "ue", "o", "u", "ss", "s", "sz", "th", "t", "ij", "y", "i", "nj", "lj", "ng",
			"n", "j", "cs", "a01", "a1", "a001", "a1.0", "01", "1", "a  b", "a b", "A b", " ab");

	private static final List<String> BEYOND = List.of("e", "\u00e9", "e\u0301", "\u00c9", "\u00e8", "\u0436", "\u0416",
			"\u00df", "ss", "\u00e6", "ae", "\u0131", "i", "I", "\u0130", "\u017f", "s", "\u212a", "k", "\uff21", "A",
			"a", "\u0663", "3", "\uff13", "\u30a2", "\u3042", "\uff71", "a\u0001b", "ab", "a\u00adb", "a\u200db",
			"\uf900", "\u8c48", "\uac00", "\u1100\u1161", "\ud83d\ude00", "\ud83d\ude01", "\u00f8", "o", "\u00a0", " ",
			"\u03c3", "\u03c2", "\u03a3", "a\tb", "a\nb", "a b", "\u2126", "\u03a9", "\u1e9e", "\ufb01", "fi", "\u4e00",
			"\u4e8c", "\u0430", "\u00bd", "1/2", "\u0e01", "\u0e02", "\u05d0", "\u05d1");

	private static final Map<String, String> ONE_ROW = Map.of("hsql database engine", " from (values(0))", "oracle",
			" from dual", "apache derby", " from sysibm.sysdummy1", "hdb", " from dummy");

	public Set<Difference> read(Connection connection, QueryColumns columns) throws SQLException {
		return read(SqlClient.of(connection), columns);
	}

	public Set<Difference> read(SqlClient client, QueryColumns columns) throws SQLException {
		List<KeyColumn> texts = columns.stream().filter(KeyColumn::mayBeText).toList();
		if (!columns.isNestable() && !texts.isEmpty()) {
			return KeyEquality.UNKNOWN;
		}
		Set<Difference> ignored = EnumSet.noneOf(Difference.class);
		for (KeyColumn column : texts) {
			ignored.addAll(new Column(client, columns.query(), column.name()).ignored(column.isPadded()));
		}
		return ignored;
	}

	/**
	 * Return all but the backslash, which escapes in some queries.
	 */
	private static Stream<String> printable() {
		return Stream.iterate(' ', (character) -> character <= '~', (character) -> (char) (character + 1))
			.filter((character) -> character != '\\')
			.map(String::valueOf);
	}

	/**
	 * Return the letters of an alphabet, of those of East Asia some.
	 */
	private static List<String> letters(String ranges) {
		return IntStream.iterate(0, (i) -> i < ranges.length(), (i) -> i + 2)
			.flatMap((i) -> letters(ranges.charAt(i), ranges.charAt(i + 1)))
			.filter(Character::isLetter)
			.mapToObj(Character::toString)
			.toList();
	}

	private static IntStream letters(char first, char last) {
		int step = switch (first) {
			case '\u3041', '\u30a1' -> 3;
			case '\u4e00' -> 1999;
			case '\uac00' -> 997;
			default -> 1;
		};
		return IntStream.iterate(first, (letter) -> letter <= last, (letter) -> letter + step);
	}

	private static final class Column {

		private final SqlClient client;

		private final String none;

		private final String oneRow;

		Column(SqlClient client, String query, String name) throws SQLException {
			this.client = client;
			String quote = client.quote();
			this.none = "select 0 as i, q." + quote + name + quote + " as t from " + QueryColumns.nested(query)
					+ " where 1 = 0";
			this.oneRow = ONE_ROW.getOrDefault(client.product().toLowerCase(Locale.ROOT), "");
		}

		/**
		 * @param padded whether the column fills texts up with blanks, which literals
		 * don't have
		 */
		Set<Difference> ignored(boolean padded) throws SQLException {
			List<Pair> pairs = new ArrayList<>();
			for (List<String> texts : List.of(ALONE, BETWEEN, LETTERS)) {
				try {
					pairs.addAll(equal(texts));
				}
				catch (SQLException ex) {
					this.client.throwIfDown(ex);
					return isNoText(ex) ? KeyEquality.EXACT : KeyEquality.UNKNOWN;
				}
			}
			Set<Difference> ignored = EnumSet.noneOf(Difference.class);
			if (pairs.stream().anyMatch((pair) -> pair.first().equalsIgnoreCase(pair.second()))) {
				ignored.add(Difference.CASE);
			}
			if (padded || pairs.stream().anyMatch((pair) -> pair.first().strip().equals(pair.second().strip()))) {
				ignored.add(Difference.TRAILING_BLANKS);
			}
			if (!areFolded(pairs, ignored)) {
				return KeyEquality.UNKNOWN;
			}
			addBeyond(ignored);
			if (ignored.contains(Difference.BEYOND_ASCII) && ignored.contains(Difference.CASE)) {
				addAlphabets(ignored);
			}
			return ignored;
		}

		private void addBeyond(Set<Difference> ignored) throws SQLException {
			try {
				List<Pair> pairs = equal(BEYOND);
				if (!areFolded(pairs, ignored)) {
					ignored.add(Difference.BEYOND_ASCII);
				}
				if (pairs.contains(new Pair("e", "\u00e9"))) {
					ignored.add(Difference.ACCENTS);
				}
			}
			catch (SQLException ex) {
				// the column has other characters than these
				this.client.throwIfDown(ex);
				ignored.add(Difference.BEYOND_ASCII);
			}
		}

		private static boolean areFolded(List<Pair> pairs, Set<Difference> ignored) {
			TextForms forms = new TextForms(ignored);
			return pairs.stream().allMatch((pair) -> forms.stored(pair.first()).equals(forms.stored(pair.second())));
		}

		/**
		 * Add the alphabets of which more letters equal ASCII than is known.
		 */
		private void addAlphabets(Set<Difference> ignored) throws SQLException {
			ignored.remove(Difference.BEYOND_ASCII);
			ignored.add(Difference.BEYOND_ALPHABETS);
			TextForms forms = new TextForms(ignored);
			for (Difference alphabet : TextForms.ALPHABETS.keySet()) {
				if (!isCertain(alphabet, forms)) {
					ignored.add(alphabet);
				}
			}
		}

		private boolean isCertain(Difference alphabet, TextForms forms) throws SQLException {
			List<String> letters = letters(TextForms.ALPHABETS.getOrDefault(alphabet, ""));
			try {
				return equal(letters, ASCII).stream()
					.noneMatch((pair) -> Collections.disjoint(forms.stored(pair.first()), forms.asked(pair.second())));
			}
			catch (SQLException ex) {
				this.client.throwIfDown(ex);
				return false;
			}
		}

		private static boolean isNoText(SQLException ex) {
			return ex.getSQLState() != null && ex.getSQLState().startsWith(NO_TEXT);
		}

		private List<Pair> equal(List<String> texts) throws SQLException {
			return equal(texts, texts, " and x.i < y.i");
		}

		private List<Pair> equal(List<String> texts, List<String> others) throws SQLException {
			return equal(texts, others, "");
		}

		private List<Pair> equal(List<String> texts, List<String> others, String condition) throws SQLException {
			String query = "select x.i, y.i from (" + union(texts) + ") x join (" + union(others) + ") y on x.t = y.t"
					+ condition;
			List<Pair> pairs = new ArrayList<>();
			for (int[] pair : this.client.pairs(query)) {
				pairs.add(new Pair(texts.get(pair[0]), others.get(pair[1])));
			}
			return pairs;
		}

		private String union(List<String> texts) {
			StringBuilder all = new StringBuilder(this.none);
			for (int i = 0; i < texts.size(); i++) {
				all.append(" union all select ").append(i).append(", '");
				all.append(texts.get(i).replace("'", "''")).append('\'').append(this.oneRow);
			}
			return all.toString();
		}

	}

	private record Pair(String first, String second) {

	}

}
