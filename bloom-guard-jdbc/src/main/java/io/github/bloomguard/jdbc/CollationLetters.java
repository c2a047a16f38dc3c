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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Asks MySQL and MariaDB for the weights of characters, and of pairs that may be one
 * character in a language, in the collation of columns.
 */
final class CollationLetters {

	/**
	 * Of the collations that columns of all data sources have had. A collation of one
	 * version of a server never changes.
	 */
	private static final Map<String, Optional<Map<String, String>>> known = new ConcurrentHashMap<>();

	private static final Set<String> PRODUCTS = Set.of("mysql", "mariadb");

	/**
	 * Columns of another character set are compared in the collation of the connection
	 * where a key can't be written in it.
	 */
	private static final Pattern FOLDED = Pattern.compile("(utf8mb4|uca1400)_\\w*ci");

	private static final Pattern BINARY = Pattern.compile("binary|\\w+_bin");

	private static final Pattern NEXT = Pattern.compile(",");

	private static final int BLOCK = 1 << 12;

	/**
	 * Those blocks of two planes that have more than ideographs, Hangul, hieroglyphs and
	 * characters for private use: these have weights of their own in all collations.
	 */
	private static final int[] BLOCKS = { 0x0, 0x1, 0x2, 0x3, 0x4, 0xa, 0xf, 0x10, 0x11, 0x16, 0x1d, 0x1e, 0x1f };

	private static final String DIGITS = IntStream.range(1, 16)
		.mapToObj((digit) -> " union all select " + digit)
		.collect(Collectors.joining("", "(select 0 as d", ")"));

	private static final String NUMBERS = "select %d + a.d + 16 * b.d + 256 * c.d as n from " + DIGITS + " a, " + DIGITS
			+ " b, " + DIGITS + " c";

	/**
	 * Letters that a language may take for one with another letter, a middle dot or a
	 * combining mark after them.
	 */
	private static final String FIRST = "n between 65 and 90 or n between 97 and 122";

	private static final String SECOND = FIRST + " or n = 183 or n between 192 and 383 or n between 768 and 847";

	private final Connection connection;

	private final String collation;

	private CollationLetters(Connection connection, String collation) {
		this.connection = connection;
		this.collation = collation;
	}

	/**
	 * Return the letters of the columns' collation, nothing if they have several, or none
	 * of which this is known.
	 */
	static Optional<Map<String, String>> read(Connection connection, QueryColumns columns) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
		if (!PRODUCTS.contains(product)) {
			return Optional.empty();
		}
		try {
			Set<String> collations = new HashSet<>();
			for (KeyColumn column : columns.stream().filter(KeyColumn::mayBeText).toList()) {
				collations.add(collation(connection, columns.query(), column.name()));
			}
			// whatever is joined is joined for texts that are compared exactly, too
			collations.removeIf(BINARY.asMatchPredicate());
			return (collations.size() == 1) ? read(connection, product, collations.iterator().next())
					: Optional.empty();
		}
		catch (SQLException ex) {
			QueryColumns.throwIfDown(connection, ex);
			return Optional.empty();
		}
	}

	private static String collation(Connection connection, String query, String column) throws SQLException {
		return text(connection, "select collation(x.t) from (select q.`" + column + "` as t from "
				+ QueryColumns.nested(query) + " where 1 = 0 union all select '') x");
	}

	private static Optional<Map<String, String>> read(Connection connection, String product, String collation)
			throws SQLException {
		if (!FOLDED.matcher(collation).matches()) {
			return Optional.empty();
		}
		String key = product + " " + text(connection, "select version()") + " " + collation;
		Optional<Map<String, String>> letters = known.get(key);
		if (letters == null) {
			letters = new CollationLetters(connection, collation).letters();
			known.put(key, letters);
		}
		return letters;
	}

	private Optional<Map<String, String>> letters() throws SQLException {
		CollationWeights weights = new CollationWeights();
		for (int block : BLOCKS) {
			weigh(weights, "select n, " + weight("t") + " from (select n, " + character("n") + " as t from ("
					+ NUMBERS.formatted(block * BLOCK) + ") k) x");
		}
		String numbers = "(select n, " + character("n") + " as t from (" + NUMBERS.formatted(0) + ") k where ";
		weigh(weights,
				"select concat(x.n, ',', y.n), " + weight("concat(x.t, y.t)") + " from " + numbers + FIRST + ") x join "
						+ numbers + SECOND + ") y where " + weight("concat(x.t, y.t)") + " <> concat(" + weight("x.t")
						+ ", " + weight("y.t") + ")");
		return weights.letters();
	}

	private static String character(String number) {
		return "convert(convert(unhex(lpad(hex(" + number + "), 8, '0')) using utf32) using utf8mb4)";
	}

	private String weight(String text) {
		return "hex(weight_string(" + text + " collate " + this.collation + "))";
	}

	/**
	 * Read characters and their weights, each of four digits.
	 */
	private void weigh(CollationWeights weights, String query) throws SQLException {
		try (Statement statement = this.connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
			while (rows.next()) {
				String text = NEXT.splitAsStream(rows.getString(1))
					.map((character) -> Character.toString(Integer.parseInt(character)))
					.collect(Collectors.joining());
				String hex = rows.getString(2);
				weights.add(text, (hex != null) ? hex : "");
			}
		}
	}

	private static String text(Connection connection, String query) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
			return rows.next() ? String.valueOf(rows.getString(1)) : "";
		}
	}

}
