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

package io.github.bloomguard.filter;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Writes a text in ASCII, so that all texts that a collation calls equal become one. A
 * collation compares the weights of characters one after another (Unicode Technical
 * Standard 10), so each character can be replaced by that ASCII whose weights it has:
 * {@code é} by {@code e}, {@code ß} by {@code ss}, the Arabic digit three by {@code 3}.
 * Weights that no ASCII has are left out, and texts that differ by these alone become
 * one, too: that is more than the collation joins, and never less.
 * <p>
 * The table of this package is that of Unicode's root collation. A collation of another
 * language has a few {@linkplain #code() others}, of characters, or of two in a row that
 * it takes for one.
 */
public final class AsciiFolding {

	/**
	 * The first and the last character beyond the basic plane: as a pair, they stand for
	 * all of these.
	 */
	public static final String SUPPLEMENTARY = Character.toString(Character.MIN_SUPPLEMENTARY_CODE_POINT)
			+ Character.toString(Character.MAX_CODE_POINT);

	/**
	 * How many others may be kept: each instance reads them twice a second.
	 */
	public static final int MOST = 64;

	static final String TABLE = "ascii.txt";

	/**
	 * Of the table, which never changes without another version: generations depend on
	 * it.
	 */
	private static final String VERSION = "1";

	private static final String ENTRY = ",";

	private static final char IS = '=';

	private static final HexFormat HEX = HexFormat.of().withUpperCase();

	private final Map<String, String> others;

	private final boolean pairs;

	private final boolean supplementary;

	/**
	 * Create a new folding.
	 * @param others what a collation writes in another way than the table: small letters
	 * of ASCII for a character or two
	 */
	public AsciiFolding(Map<String, String> others) {
		this.others = new TreeMap<>(others);
		this.supplementary = !others.containsKey(SUPPLEMENTARY);
		this.pairs = others.keySet().stream().anyMatch((text) -> text.codePointCount(0, text.length()) > 1);
	}

	/**
	 * Return the folding with a code, {@code null} if another version has written it.
	 */
	static @Nullable AsciiFolding of(String code) {
		String[] entries = code.split(ENTRY);
		if (!entries[0].equals(VERSION)) {
			return null;
		}
		Map<String, String> others = new HashMap<>();
		for (String entry : entries) {
			int is = entry.indexOf(IS);
			if (is >= 0) {
				others.put(text(entry.substring(0, is)), text(entry.substring(is + 1)));
			}
		}
		return new AsciiFolding(others);
	}

	private static String text(String hex) {
		return new String(HEX.parseHex(hex), StandardCharsets.UTF_8);
	}

	/**
	 * Return the version of the table and what differs from it. It has no small letter.
	 */
	String code() {
		return this.others.entrySet()
			.stream()
			.map((other) -> ENTRY + hex(other.getKey()) + IS + hex(other.getValue()))
			.collect(Collectors.joining("", VERSION, ""));
	}

	private static String hex(String text) {
		return HEX.formatHex(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Return the text in ASCII. Its own letters keep their case.
	 */
	public String fold(String text) {
		StringBuilder folded = new StringBuilder(text.length());
		int next;
		for (int i = 0; i < text.length(); i = next) {
			int character = text.codePointAt(i);
			next = i + Character.charCount(character);
			if (this.pairs && next < text.length()) {
				int end = text.offsetByCodePoints(next, 1);
				String pair = this.others.get(text.substring(i, end));
				if (pair != null) {
					folded.append(pair);
					next = end;
					continue;
				}
			}
			if (isPlain(character)) {
				folded.append((char) character);
			}
			else {
				folded.append(ascii(character));
			}
		}
		return folded.toString();
	}

	/**
	 * Return whether characters of a text are left out, so that texts become one that the
	 * collation tells apart.
	 */
	boolean leavesOut(String text) {
		int next;
		for (int i = 0; i < text.length(); i = next) {
			next = i + Character.charCount(text.codePointAt(i));
			if (!isPlain(text.codePointAt(i)) && fold(text.substring(i, next)).isEmpty()) {
				return true;
			}
		}
		return false;
	}

	private String ascii(int character) {
		if (Character.isSupplementaryCodePoint(character) && !this.supplementary) {
			return "";
		}
		String other = this.others.isEmpty() ? null : this.others.get(Character.toString(character));
		return (other != null) ? other : Table.ASCII.getOrDefault(character, "");
	}

	/**
	 * Return whether a character is printable ASCII, but no backslash, which has another
	 * meaning in the text of some queries.
	 */
	public static boolean isPlain(int character) {
		return character >= ' ' && character <= '~' && character != '\\';
	}

	/**
	 * Read when a filter needs it first.
	 */
	private static final class Table {

		private static final String BLANK = "\\s";

		static final Map<Integer, String> ASCII = read();

		/**
		 * Each line has the first of some characters in a row, and their ASCII.
		 */
		private static Map<Integer, String> read() {
			Map<Integer, String> ascii = new HashMap<>();
			lines().forEach((line) -> {
				String[] parts = line.split("\t");
				int first = Integer.parseInt(parts[0], 16);
				for (int i = 1; i < parts.length; i++) {
					ascii.put(first + i - 1, parts[i].replace(BLANK, " "));
				}
			});
			return Map.copyOf(ascii);
		}

		private static Iterable<String> lines() {
			try (InputStream file = AsciiFolding.class.getResourceAsStream(TABLE)) {
				if (file == null) {
					throw new IllegalStateException(TABLE + " is missing");
				}
				return Arrays.asList(new String(file.readAllBytes(), StandardCharsets.US_ASCII).split("\n"));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
