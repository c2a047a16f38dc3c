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
package io.github.bloomguard.catalogue;

import java.util.stream.Stream;

/**
 * How rows of a table are written.
 *
 * @param table without schema and quotes, in lower case; code also inserts into what it
 * calls
 */
public record RowWrite(Kind kind, String table) {

	public static RowWrite of(Kind kind, String name) {
		return new RowWrite(kind, RelatedTables.plain(name));
	}

	/**
	 * The events that fire triggers.
	 */
	public enum Kind {

		INSERT, UPDATE, DELETE;

		/**
		 * Return what a verb does, as of SQL or of a method; whatever is no update or
		 * delete may insert.
		 */
		public static Kind of(String verb) {
			return Stream.of(UPDATE, DELETE)
				.filter((kind) -> verb.regionMatches(true, 0, kind.name(), 0, kind.name().length()))
				.findFirst()
				.orElse(INSERT);
		}

	}

}
