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

package io.github.bloomguard;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Gives the keys of one filter for its warm-up; each bean of this type is used. A filter
 * may have several sources; their keys are joined.
 *
 * @since 1.0.0
 */
public interface KeySource {

	/**
	 * Return the name of the filter.
	 * @return the name, as configured under {@code bloom-guard.filters}
	 */
	String filter();

	/**
	 * Return the keys of all rows that are committed when the method is called. One
	 * thread reads them and never holds them all, so a lazy stream keeps the memory
	 * constant. The method is called several times if the filter is larger than its
	 * warm-up may take. {@code null} elements are passed over.
	 * @return the keys, in any form that keys may have; the stream is closed after use
	 */
	Stream<?> keys();

	/**
	 * Return the keys of all rows that are committed when the method is called, in parts
	 * that may be read at the same time. Each part is read once, by a thread of its own.
	 * A key may be in several parts.
	 * @return the parts; each gives a stream that is closed after use
	 */
	default List<Supplier<Stream<?>>> partitions() {
		return List.of(this::keys);
	}

	/**
	 * Give up what is being read, because the application closes: let streams end or fail
	 * soon. Called while other threads read them. By default nothing is done; no further
	 * key is asked for anyway.
	 */
	default void cancel() {
	}

	/**
	 * Return what tells these keys from those that another version or another application
	 * gives. A filter that was loaded from sources with other fingerprints is not asked,
	 * and loaded anew. All instances have to agree on it. To be overridden if the keys
	 * may change although the class does not, as where it reads a table that is
	 * configured or calls a repository: name the table and the column.
	 * @return any text; by default the name of the class, with which its code counts, too
	 */
	default String fingerprint() {
		return ClassUtils.getUserClass(this).getName();
	}

	/**
	 * Return what tells the database of the keys apart from another one with the same
	 * tables, such as its name and place. A filter that was loaded from another one is
	 * not asked, and loaded anew. Called in the background after the start, again if it
	 * throws, and again if another instance has found something else. All instances that
	 * read the same database have to agree on it.
	 * @return any text; empty by default
	 */
	default String database() {
		return "";
	}

	/**
	 * Return whether only this process can write the rows, as in a database in its
	 * memory. Then the guard waits for no older instance ({@code rebuild.settle}), and a
	 * few calls prove a filter. It is asked after {@link #database()}.
	 * @return {@code false} by default
	 */
	default boolean isOwn() {
		return false;
	}

	/**
	 * Return the version of the schema, if it changes when rows are written whose keys
	 * are not added, as by migrations. A filter that was loaded from another version is
	 * not asked, and loaded anew. Called after {@link #database()}, and then once a
	 * second on a thread that may be blocked, so that rows of a migration are found that
	 * is run while this instance is running. So it should be cheap, and not wait for a
	 * connection unless it is called after {@link #database()}. To fail proves nothing.
	 * @return any text; empty by default
	 */
	default String schemaVersion() {
		return "";
	}

	/**
	 * Return which keys are one key to the database of the keys.
	 * @return the same equality each time; if it is empty, as by default, the property
	 * {@code text} of the filter tells which texts are equal, and all other keys have one
	 * form each
	 */
	default Optional<KeyEquality> equality() {
		return Optional.empty();
	}

	/**
	 * Look up whether there is a row with a key, to find out whether the filter was right
	 * to call it absent, or whether its absence may be remembered. Called on threads that
	 * may be blocked, a few times a second, outside of any transaction; must have no side
	 * effect, and should not wait for a connection. To fail proves nothing.
	 * @param key the parts of the key, or the key alone
	 * @return whether there is such a row, to the database's own equality; empty, as by
	 * default, if the source can't tell, so that the guarded method is called instead
	 */
	default Optional<Boolean> contains(List<? extends @Nullable Object> key) {
		return Optional.empty();
	}

	/**
	 * Look up for which of many keys there are rows, as {@link #contains} does for one.
	 * To be overridden by a source that can do so with less effort than one by one, as
	 * with {@code where id in (…)}. It is called for the keys of one call, and in a
	 * flood, for as many as a few thousand.
	 * @param keys the parts of each key
	 * @return for each key, in their order, what {@link #contains} would return
	 */
	default List<Optional<Boolean>> containsEach(List<? extends List<? extends @Nullable Object>> keys) {
		return keys.stream().map(this::contains).toList();
	}

	/**
	 * Return whether callers see different rows, as where a pool sets the tenant of the
	 * caller's thread. Then only a call of a guarded method, on the thread of its caller,
	 * can tell that there is no row. So the guard verifies absent answers before it gives
	 * them, whatever {@code verification.mode} says, and remembers no key as not found.
	 * @return {@code false} by default
	 */
	default boolean dependsOnCaller() {
		return false;
	}

	/**
	 * Return why keys may be missing in what was loaded from this source, if they may:
	 * what adds the keys of new rows is not in place, or was not until now. Then nothing
	 * is called absent until the filter was loaded again without a doubt. Called before
	 * and after each load, and twice a second, so it must not wait.
	 * @return says what is wrong and what to do; empty by default
	 */
	default Optional<String> doubt() {
		return Optional.empty();
	}

	/**
	 * Return in which way rows may come that nothing in the application shows, so that
	 * their keys are not added: through a trigger, a view, a routine of the database.
	 * Absent answers are then looked up before they are given, whatever
	 * {@code verification.mode} says, unless that is off. Called after
	 * {@link #database()}, and before each load, on a thread that may be blocked. To fail
	 * means that this can't be told, and so that there may be such a way.
	 * @return names it, such as {@code the trigger copy_orders}; empty by default
	 */
	default Optional<String> unseenWriters() {
		return Optional.empty();
	}

	/**
	 * Return how many keys there are about, for the progress.
	 * @return the number, empty if it is not known or costly to find out
	 */
	default OptionalLong count() {
		return OptionalLong.empty();
	}

}
