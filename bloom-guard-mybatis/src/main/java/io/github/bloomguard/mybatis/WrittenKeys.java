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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The keys of the rows that one statement writes.
 *
 * @param column the only one of the key, {@code null} if there are several, or they are
 * not known
 * @param known the keys, none if they are not known
 */
record WrittenKeys(Execution execution, FollowedKey key, @Nullable FollowedColumn column, How how, List<Object> known) {

	/**
	 * To be called after the statement: what generates ids has set them then.
	 */
	static List<WrittenKeys> of(Execution execution, SqlStatement text, List<FollowedKey> followed) {
		List<WrittenKeys> written = new ArrayList<>();
		for (FollowedKey key : followed) {
			TableWrites writes = text.writes().to(key);
			if (!writes.isNothing()) {
				written.addAll(of(execution, key, writes));
			}
		}
		return written;
	}

	private static List<WrittenKeys> of(Execution execution, FollowedKey key, TableWrites writes) {
		List<FollowedColumn> columns = key.columns();
		List<WrittenKeys> parts = parts(execution, key, writes::to);
		if (parts.isEmpty() && !columns.isEmpty()) {
			return Stream
				.concat(named(execution, key, writes::changedBy, How.KEPT),
						named(execution, key, writes::deletedBy, How.DELETED))
				.toList();
		}
		if (columns.size() == 1 || (parts.isEmpty() && writes.areDeletions())) {
			return parts;
		}
		List<Object> joined = (parts.size() == columns.size()) ? joined(parts) : List.of();
		return List.of(new WrittenKeys(execution, key, null, joined.isEmpty() ? How.UNKNOWN : How.KNOWN, joined));
	}

	private static List<WrittenKeys> parts(Execution execution, FollowedKey key,
			Function<FollowedColumn, WrittenValues> values) {
		List<WrittenKeys> parts = new ArrayList<>();
		for (FollowedColumn column : key.columns()) {
			WrittenValues written = values.apply(column);
			if (written.kind() != WrittenValues.Kind.NOTHING) {
				parts.add(of(execution, key, column, written));
			}
		}
		return parts;
	}

	/**
	 * Return the keys of the rows that a condition names, as far as the statement tells.
	 */
	private static Stream<WrittenKeys> named(Execution execution, FollowedKey key,
			Function<FollowedColumn, WrittenValues> condition, How how) {
		List<WrittenKeys> parts = parts(execution, key, condition);
		boolean known = parts.size() == key.columns().size()
				&& parts.stream().allMatch((part) -> part.how == How.KNOWN);
		if (!known) {
			return Stream.empty();
		}
		boolean single = parts.size() == 1;
		List<Object> keys = single ? parts.get(0).known : combined(parts);
		return keys.isEmpty() ? Stream.empty()
				: Stream.of(new WrittenKeys(execution, key, single ? parts.get(0).column : null, how, keys));
	}

	/**
	 * Return keys of several parts, of which one may have several values: of more it is
	 * not known which belong together.
	 */
	private static List<Object> combined(List<WrittenKeys> parts) {
		List<List<Object>> keys = List.of(List.of());
		for (WrittenKeys part : parts) {
			if (keys.size() > 1 && part.known.size() > 1) {
				return List.of();
			}
			keys = keys.stream()
				.flatMap((key) -> part.known.stream()
					.map((value) -> Stream.concat(key.stream(), Stream.of(value)).toList()))
				.toList();
		}
		return List.copyOf(keys);
	}

	/**
	 * Return keys of several parts, none if a row does not tell each of them.
	 */
	private static List<Object> joined(List<WrittenKeys> parts) {
		List<Object> keys = new ArrayList<>();
		int rows = parts.isEmpty() ? 0 : parts.get(0).known.size();
		for (int i = 0; i < rows; i++) {
			List<Object> key = new ArrayList<>();
			for (WrittenKeys part : parts) {
				if (part.known.size() != rows) {
					return List.of();
				}
				key.add(part.known.get(i));
			}
			keys.add(key);
		}
		return keys;
	}

	private static WrittenKeys of(Execution execution, FollowedKey key, FollowedColumn column, WrittenValues values) {
		WrittenKeys unknown = new WrittenKeys(execution, key, column, How.UNKNOWN, List.of());
		WrittenKeys leftOut = unknown.how(execution.generates(column) ? How.GENERATED : How.UNKNOWN);
		if (values.kind() == WrittenValues.Kind.DEFAULT) {
			return (leftOut.how == How.UNKNOWN && !column.isId()) ? unknown.how(How.LEFT_OUT) : leftOut;
		}
		if (values.kind() == WrittenValues.Kind.UNKNOWN || values.placeholders() != execution.values().size()) {
			return unknown;
		}
		List<@Nullable Object> all = new ArrayList<>();
		values.parameters().forEach((index) -> all.add(execution.values().get(index + 1)));
		if (!all.stream().allMatch((value) -> value == null || column.hasForm(value))) {
			return unknown;
		}
		boolean id = column.isId() && (key.columns().size() == 1 || all.contains(null));
		if (all.stream().anyMatch(FollowedKey::isLeftOut) && (id || execution.increments().test(key, column))) {
			return all.stream().allMatch(FollowedKey::isLeftOut) ? leftOut : unknown;
		}
		Set<@Nullable Object> distinct = new HashSet<>(all);
		List<Object> known = Stream
			.concat(all.stream(), execution.generated(column).stream().filter((value) -> !distinct.contains(value)))
			.filter((value) -> value != null && column.hasForm(value))
			.map(Objects::requireNonNull)
			.toList();
		return new WrittenKeys(execution, key, column, How.KNOWN, known);
	}

	private WrittenKeys how(How other) {
		return new WrittenKeys(this.execution, this.key, this.column, other, this.known);
	}

	/**
	 * Return what MyBatis has set in the parameter, {@code null} if it has not.
	 */
	@Nullable List<Object> generated() {
		FollowedColumn column = this.column;
		List<@Nullable Object> keys = (column != null) ? this.execution.generated(column) : List.of();
		boolean known = column != null && !keys.isEmpty()
				&& keys.stream().allMatch((key) -> key != null && !FollowedKey.isLeftOut(key) && column.hasForm(key));
		return known ? keys.stream().map(Objects::requireNonNull).toList() : null;
	}

	enum How {

		KNOWN,

		/**
		 * The rows had these keys before, and something else of them is changed: what was
		 * not found may be found from now on.
		 */
		KEPT,

		DELETED,

		/**
		 * By the database, and MyBatis sets them in the parameter.
		 */
		GENERATED,

		/**
		 * The column has its default, which is no key if it is empty.
		 */
		LEFT_OUT,

		UNKNOWN

	}

}
