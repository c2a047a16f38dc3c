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

package io.github.bloomguard.changes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.bloomguard.changes.PostgresTable.KeyColumn;
import io.github.bloomguard.feed.LostLogException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of {@code pgoutput}, protocol version 1, as far as they tell of
 * keys. Used by one thread.
 *
 * @see <a href=
 * "https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html">
 * Logical Replication Message Formats</a>
 */
final class PgOutput {

	/**
	 * Milliseconds from 1970 to 2000, from which the server counts.
	 */
	private static final long EPOCH = 946_684_800_000L;

	private final PostgresTable table;

	private final Map<Integer, KeyPlace> relations = new HashMap<>();

	private final Map<Integer, String> names = new HashMap<>();

	private final List<Object> added = new ArrayList<>();

	private final List<Object> removed = new ArrayList<>();

	private long position;

	private long oldest = Long.MAX_VALUE;

	private long committed;

	private boolean withinTransaction;

	PgOutput(PostgresTable table) {
		this.table = table;
	}

	void read(ByteBuffer message) {
		switch (message.get()) {
			case 'B' -> {
				this.withinTransaction = true;
				message.getLong();
				this.committed = message.getLong() / 1000 + EPOCH;
			}
			case 'C' -> {
				this.withinTransaction = false;
				message.get();
				message.getLong();
				this.position = message.getLong();
			}
			case 'R' -> relation(message);
			case 'I' -> {
				KeyPlace place = place(message);
				message.get();
				add(place.key(tuple(message)));
			}
			case 'U' -> update(message);
			case 'D' -> {
				KeyPlace place = place(message);
				message.get();
				remove(place, tuple(message));
			}
			default -> {
				// types, origins, messages, truncations: no key is new
			}
		}
	}

	private void update(ByteBuffer message) {
		KeyPlace place = place(message);
		byte kind = message.get();
		@Nullable String[] before = null;
		if (kind != 'N') {
			before = tuple(message);
			message.get();
		}
		@Nullable String[] after = tuple(message);
		if (before != null && (kind == 'O' || place.identity())) {
			place.fill(after, before);
		}
		Object key = place.key(after);
		// also one that is the same: the row may be one that queries find only now
		add(key);
		if (before != null && !Objects.equals(key, place.key(before))) {
			remove(place, before);
		}
	}

	private void add(@Nullable Object key) {
		if (key != null) {
			this.added.add(key);
		}
	}

	private void remove(KeyPlace place, @Nullable String[] tuple) {
		Object key = place.removable() ? place.key(tuple) : null;
		if (key != null && !(key instanceof List<?> parts && parts.contains(null))) {
			this.removed.add(key);
			this.oldest = Math.min(this.oldest, this.committed);
		}
	}

	boolean isWithinTransaction() {
		return this.withinTransaction;
	}

	int size() {
		return this.added.size() + this.removed.size();
	}

	Batch take() {
		Batch batch = new Batch(List.copyOf(this.added), List.copyOf(this.removed), this.position, this.oldest);
		this.added.clear();
		this.removed.clear();
		this.position = 0;
		this.oldest = Long.MAX_VALUE;
		return batch;
	}

	private KeyPlace place(ByteBuffer message) {
		int relation = message.getInt();
		KeyPlace place = this.relations.get(relation);
		if (place == null) {
			throw new LostLogException("it has a change of a table that it has not described");
		}
		return place;
	}

	private void relation(ByteBuffer message) {
		int relation = message.getInt();
		String name = text(message) + '.' + text(message);
		// rows of a table that was renamed or detached are not deleted from the one that
		// is there now
		boolean removable = this.table.unique() && Integer.toUnsignedLong(relation) == this.table.oid()
				&& name.equals(this.names.computeIfAbsent(relation, (number) -> name));
		boolean identity = true;
		boolean full = message.get() == 'f';
		int count = message.getShort();
		List<KeyColumn> columns = this.table.keys();
		int[] places = new int[columns.size()];
		Arrays.fill(places, -1);
		for (int place = 0; place < count; place++) {
			boolean identifies = message.get() == 1 || full;
			String column = text(message);
			long type = Integer.toUnsignedLong(message.getInt());
			message.getInt();
			for (int part = 0; part < places.length; part++) {
				KeyColumn key = columns.get(part);
				if (key.name().equals(column) && key.oid() == type) {
					places[part] = place;
					identity &= identifies;
				}
			}
		}
		for (int place : places) {
			if (place < 0) {
				throw new LostLogException("a column of the key was renamed, dropped or has another type");
			}
		}
		this.relations.put(relation, new KeyPlace(columns, places, identity, removable && identity));
	}

	/**
	 * Read the texts of a row: {@code null} for null, {@link KeyPlace#UNCHANGED} for a
	 * value that is not repeated.
	 */
	private static @Nullable String[] tuple(ByteBuffer message) {
		@Nullable String[] values = new String[message.getShort()];
		for (int i = 0; i < values.length; i++) {
			switch (message.get()) {
				case 'n' -> values[i] = null;
				case 'u' -> values[i] = KeyPlace.UNCHANGED;
				default -> {
					byte[] bytes = new byte[message.getInt()];
					message.get(bytes);
					values[i] = new String(bytes, StandardCharsets.UTF_8);
				}
			}
		}
		return values;
	}

	private static String text(ByteBuffer message) {
		int start = message.position();
		while (message.get() != 0) {
			// to its end
		}
		byte[] bytes = new byte[message.position() - 1 - start];
		message.get(start, bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	/**
	 * Changes since the last batch.
	 *
	 * @param position the position after the last transaction that ended, 0 if none did
	 * @param oldest when the first of the removals was committed, in milliseconds
	 */
	record Batch(List<Object> added, List<Object> removed, long position, long oldest) {

	}

	/**
	 * Where the key is in the rows of a table.
	 *
	 * @param identity whether the log has the key of a row that is deleted
	 * @param removable whether no other row has that key
	 */
	private record KeyPlace(List<KeyColumn> columns, int[] places, boolean identity, boolean removable) {

		/**
		 * A value that is too long to be repeated; told from others by its identity.
		 */
		@SuppressWarnings("StringOperationCanBeSimplified")
		static final String UNCHANGED = new String("unchanged");

		@Nullable Object key(@Nullable String[] row) {
			List<@Nullable Object> parts = new ArrayList<>(this.places.length);
			for (int i = 0; i < this.places.length; i++) {
				String text = row[this.places[i]];
				if (text == UNCHANGED) {
					throw new LostLogException("it does not have the value of the column " + this.columns.get(i).name()
							+ ". Run: alter table … replica identity full");
				}
				parts.add((text != null) ? this.columns.get(i).value(text) : null);
			}
			return (parts.size() == 1) ? parts.get(0) : parts;
		}

		void fill(@Nullable String[] after, @Nullable String[] before) {
			for (int place : this.places) {
				if (after[place] == UNCHANGED) {
					after[place] = before[place];
				}
			}
		}

	}

}
