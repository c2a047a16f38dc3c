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

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.QueryEventData;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import io.github.bloomguard.catchup.LostLogException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a binary log in ROW format, as far as they tell of keys. Used by
 * the one thread of a client.
 * <p>
 * A transaction is written as a whole when it is committed, so keys are new as soon as
 * they are read. One of {@code xa} may be rolled back after that, so what it has deleted
 * is not removed.
 *
 * @see <a href=
 * "https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_replication_binlog_event.html">
 * Binlog Event</a>
 */
final class BinlogEvents implements BinaryLogClient.EventListener {

	private static final Pattern COMMENTS = Pattern.compile("^(\\s|/\\*.*?\\*/|--[^\\n]*\\n|#[^\\n]*\\n)+",
			Pattern.DOTALL);

	/**
	 * Statements that bring rows into a table without events that have them.
	 */
	private static final Pattern UNSEEN = Pattern
		.compile("(^(insert|update|replace|with|load)\\b.*)|(.*\\b(rename|exchange|tablespace)\\b.*)", Pattern.DOTALL);

	/**
	 * More keys that one transaction deletes stay until the filter is loaded again.
	 */
	private static final int MOST_REMOVED = 100_000;

	private final MySqlTable table;

	private final Map<Integer, String> collations;

	private final String server;

	private final Target target;

	private final Map<Long, TableMapEventData> tables = new HashMap<>();

	private final List<Object> removed = new ArrayList<>();

	private long file;

	private long created;

	private boolean open;

	BinlogEvents(MySqlTable table, Map<Integer, String> collations, String server, Target target) {
		this.table = table;
		this.collations = collations;
		this.server = server;
		this.target = target;
	}

	EventDeserializer deserializer() {
		return RowChanges.deserializer((table) -> this.table.is(table.getDatabase(), table.getTable()), this.tables);
	}

	@Override
	public void onEvent(Event event) {
		try {
			EventHeaderV4 header = event.getHeader();
			read(header, event);
			if (!this.open && header.getNextPosition() > 0) {
				this.tables.clear();
				this.target.reach(position(header.getNextPosition()));
			}
		}
		catch (RuntimeException ex) {
			this.target.fail(ex);
		}
	}

	private BinlogPosition position(long offset) {
		return new BinlogPosition(this.server, this.created, this.file, offset);
	}

	private void read(EventHeaderV4 header, Event event) {
		switch (header.getEventType()) {
			case ROTATE -> {
				RotateEventData rotation = event.getData();
				this.file = BinlogPosition.number(rotation.getBinlogFilename());
				// until the file is described, nothing of it is reached
				this.open = true;
			}
			case FORMAT_DESCRIPTION -> {
				this.created = header.getTimestamp() / 1000;
				this.open = false;
				this.target.begin(position(BinlogPosition.FIRST));
			}
			case TABLE_MAP -> this.open = true;
			case WRITE_ROWS, EXT_WRITE_ROWS, UPDATE_ROWS, EXT_UPDATE_ROWS, DELETE_ROWS, EXT_DELETE_ROWS -> {
				RowChanges changes = event.getData();
				if (changes != null) {
					rows(changes);
				}
			}
			case XID -> end(true);
			case XA_PREPARE -> end(false);
			case QUERY -> {
				QueryEventData query = event.getData();
				query(COMMENTS.matcher(query.getSql()).replaceFirst("").toLowerCase(Locale.ROOT));
			}
			case INCIDENT, TRANSACTION_PAYLOAD, EXECUTE_LOAD_QUERY, LOAD, NEW_LOAD, PRE_GA_WRITE_ROWS,
					PRE_GA_UPDATE_ROWS, PARTIAL_UPDATE_ROWS_EVENT, UNKNOWN ->
				throw new LostLogException("it has an event of the type " + header.getEventType());
			default -> {
				// no key is new
			}
		}
	}

	private void query(String statement) {
		if (statement.equals("commit")) {
			end(true);
		}
		else if (statement.equals("rollback")) {
			end(false);
		}
		else if (UNSEEN.matcher(statement).matches()
				&& statement.contains(this.table.name().toLowerCase(Locale.ROOT))) {
			throw new LostLogException("it has the statement '" + statement.split("\\s", 2)[0]
					+ " …' instead of its rows, because binlog_format was not ROW, or the table was exchanged");
		}
	}

	private void end(boolean committed) {
		this.open = false;
		if (committed && !this.removed.isEmpty()) {
			this.target.remove(List.copyOf(this.removed));
		}
		this.removed.clear();
	}

	private void rows(RowChanges changes) {
		List<BinlogColumn> columns = this.table.keys()
			.stream()
			.map((name) -> BinlogColumn.find(name, changes.table(), this.collations))
			.toList();
		RowChanges.Rows before = changes.before();
		RowChanges.Rows after = changes.after();
		List<Object> added = new ArrayList<>();
		int count = (after != null) ? after.values().size() : (before != null) ? before.values().size() : 0;
		for (int row = 0; row < count; row++) {
			Object old = (before != null) ? key(columns, before, before.values().get(row)) : null;
			Object now = (after != null) ? key(columns, after, after.values().get(row)) : null;
			if (now != null) {
				added.add(now);
			}
			if (isRemovable(old) && !Objects.deepEquals(parts(old), parts(now))) {
				this.removed.add(old);
			}
		}
		if (!added.isEmpty()) {
			this.target.add(added);
		}
	}

	private boolean isRemovable(@Nullable Object key) {
		return key != null && this.table.unique() && !(key instanceof List<?> parts && parts.contains(null))
				&& this.removed.size() < MOST_REMOVED;
	}

	private static @Nullable Object key(List<BinlogColumn> columns, RowChanges.Rows rows, Serializable[] row) {
		List<@Nullable Object> parts = new ArrayList<>(columns.size());
		for (BinlogColumn column : columns) {
			parts.add(column.value(rows.value(row, column.place())));
		}
		return (parts.size() == 1) ? parts.get(0) : parts;
	}

	/**
	 * Arrays, because {@link Objects#deepEquals} compares bytes by content only in them.
	 */
	private static @Nullable Object @Nullable [] parts(@Nullable Object key) {
		return (key instanceof List<?> parts) ? parts.toArray() : new @Nullable Object[] { key };
	}

	interface Target {

		/**
		 * A file begins, or is read from within.
		 */
		void begin(BinlogPosition file);

		void add(List<Object> keys);

		/**
		 * Remove keys that one transaction deleted, after all that was reached before it.
		 */
		void remove(List<Object> keys);

		void reach(BinlogPosition position);

		void fail(Throwable failure);

	}

}
