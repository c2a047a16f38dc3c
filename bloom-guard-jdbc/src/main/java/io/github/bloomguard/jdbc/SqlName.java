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

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A name as it is written in SQL, perhaps with a schema before it, or quoted.
 */
record SqlName(List<Part> parts) {

	private static final Pattern PART = Pattern
		.compile("\\G(?:\"(?:[^\"]|\"\")+\"|`[^`]+`|\\[[^\\]]+\\]|[\\p{L}\\p{N}_$#@-]+)(?:\\.(?!$)|$)");

	private static final int MAX_PARTS = 3;

	/**
	 * @return empty if it is no name
	 */
	static Optional<SqlName> of(String written) {
		Matcher matcher = PART.matcher(written.strip());
		List<Part> parts = matcher.results().map((part) -> part(part.group())).toList();
		boolean whole = parts.stream().mapToInt((part) -> part.written().length() + 1).sum() == written.strip().length()
				+ 1;
		return (whole && !parts.isEmpty() && parts.size() <= MAX_PARTS) ? Optional.of(new SqlName(parts))
				: Optional.empty();
	}

	private static Part part(String matched) {
		String written = matched.endsWith(".") ? matched.substring(0, matched.length() - 1) : matched;
		boolean quoted = "\"`[".indexOf(written.charAt(0)) >= 0;
		return new Part(written, quoted ? written.substring(1, written.length() - 1).replace("\"\"", "\"") : written,
				quoted);
	}

	Part last() {
		return this.parts.get(this.parts.size() - 1);
	}

	@Nullable Part qualifier() {
		return (this.parts.size() > 1) ? this.parts.get(this.parts.size() - 2) : null;
	}

	@Nullable Part catalog() {
		return (this.parts.size() == MAX_PARTS) ? this.parts.get(0) : null;
	}

	@Override
	public String toString() {
		return this.parts.stream().map(Part::written).collect(Collectors.joining("."));
	}

	record Part(String written, String text, boolean quoted) {

		/**
		 * Write the name of something in SQL, with quotes if it needs them.
		 */
		static String written(String name, DatabaseMetaData database) throws SQLException {
			return new Part(name, name, false).isNameOf(name, database) ? name
					: quoted(name, database.getIdentifierQuoteString().strip());
		}

		static String quoted(String name, String quote) {
			return quote + (quote.isEmpty() ? name : name.replace(quote, quote + quote)) + quote;
		}

		/**
		 * Return whether the database takes it for the name of something.
		 */
		boolean isNameOf(@Nullable String name, DatabaseMetaData database) throws SQLException {
			if (this.quoted) {
				return database.supportsMixedCaseQuotedIdentifiers() ? this.text.equals(name)
						: this.text.equalsIgnoreCase(name);
			}
			if (database.storesUpperCaseIdentifiers()) {
				return this.text.toUpperCase(Locale.ROOT).equals(name);
			}
			if (database.storesLowerCaseIdentifiers()) {
				return this.text.toLowerCase(Locale.ROOT).equals(name);
			}
			return database.supportsMixedCaseIdentifiers() ? this.text.equals(name) : this.text.equalsIgnoreCase(name);
		}

	}

}
