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

package io.github.bloomguard.mybatis;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.UUID;

import io.github.bloomguard.jdbc.DatabaseTable;
import org.jspecify.annotations.Nullable;

/**
 * A column whose values are the keys of a filter, or a part of them.
 *
 * @param column as it is written in statements
 * @param isId whether no row is without one, which the database may generate
 */
record FollowedColumn(String column, Class<?> type, boolean isId) {

	/**
	 * Return whether a parameter has the form that it has in the column.
	 */
	boolean hasForm(Object parameter) {
		boolean integer = parameter instanceof Long || parameter instanceof Integer || parameter instanceof Short
				|| parameter instanceof Byte || parameter instanceof BigInteger;
		if (this.type == String.class) {
			return parameter instanceof String || integer;
		}
		if (this.type == UUID.class) {
			return parameter instanceof UUID;
		}
		return (integer && this.type != Object.class)
				|| (this.type == BigDecimal.class && parameter instanceof BigDecimal);
	}

	boolean isColumn(@Nullable String name) {
		return columnName().equals(name);
	}

	String columnName() {
		return lastPart(this.column);
	}

	/**
	 * Return a name without schema and quotes, in a form to compare.
	 */
	static String lastPart(String name) {
		return DatabaseTable.plainName(name);
	}

}
