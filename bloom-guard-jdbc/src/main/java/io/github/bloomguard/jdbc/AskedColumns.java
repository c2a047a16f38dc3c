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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeyType;

/**
 * Refuses methods that ask for keys which no row can have, or add them: with another
 * number of parts than a query has columns, or of a type that no value of its column has.
 * Text may have the digits of a number or of a day; that is refused only if also the
 * names say that something else is meant.
 */
record AskedColumns(String property, List<KeyColumn> columns, KeyFormat format) {

	private static final String OWN_KEY = "Name the key of the row, such as key = \"#result.id\", or another filter";

	private static final Pattern WORDS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+");

	/**
	 * @throws InvalidGuardException if no row can have the key
	 */
	void check(AskedKey asked) {
		List<AskedKey.Part> parts = parts(asked.parts());
		if (parts.size() == 1 && !KeyType.of(parts.get(0).type()).isBasic()) {
			return;
		}
		if (parts.size() != this.columns.size()) {
			throw new InvalidGuardException(
					this.property + " gives " + columns(this.columns.size()) + " " + this.columns + ", but "
							+ asked.asking() + " " + parts,
					(asked.changing() ? OWN_KEY : "Select the " + columns(parts.size()) + " that the method asks for")
							+ ((this.columns.size() > 1)
									? ", or give a key of " + this.columns.size() + " parts, such as key = \"{#a, #b}\""
									: ""));
		}
		for (int i = 0; i < parts.size(); i++) {
			check(asked, parts.get(i), this.columns.get(i));
		}
	}

	private void check(AskedKey asked, AskedKey.Part part, KeyColumn column) {
		KeyType type = KeyType.of(part.type());
		boolean named = part.name().isEmpty() || areAlike(asked.method() + " " + part.name(), column.name());
		if (!type.mayBe(column.keyType(), named)) {
			throw new InvalidGuardException(
					this.property + " gives the column " + column + ", but " + asked.asking() + " " + part
							+ ", which no row of it can have",
					(asked.changing() ? OWN_KEY
							: "Select the column that is asked for, or guard the method by another filter")
							+ (type.mayBe(column.keyType(), true) ? "; if it is that column, name the parameter as it"
									: ""));
		}
	}

	/**
	 * A record without a converter has the parts that its components are.
	 */
	private List<AskedKey.Part> parts(List<AskedKey.Part> parts) {
		Class<?> type = parts.get(0).type();
		if (parts.size() > 1 || !type.isRecord() || this.format.converts(type)
				|| !KeyType.parts(type).stream().allMatch(KeyType::isBasic)) {
			return parts;
		}
		return Arrays.stream(type.getRecordComponents())
			.map((component) -> new AskedKey.Part(component.getName(), component.getType()))
			.toList();
	}

	private static String columns(int number) {
		return (number == 1) ? "one column" : number + " columns";
	}

	private static boolean areAlike(String names, String column) {
		Set<String> words = words(column).collect(Collectors.toSet());
		return words(names).anyMatch(words::contains);
	}

	private static Stream<String> words(String name) {
		return Arrays.stream(WORDS.split(name)).map((word) -> word.toLowerCase(Locale.ROOT).replaceFirst("s$", ""));
	}

}
