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
import java.util.Map;
import java.util.Objects;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.QueryEventData;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LostLogException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a binary log in ROW format, as far as they tell of keys. Used by
 * the one thread of a client.
 * <p>
 * A transaction is written as a whole when it is committed, so keys are new as soon as
 * they are read. One of {@code xa} is written when it is prepared, and may be rolled back
 * or committed at any later time. So what it has deleted is not removed, and no load
 * begins before those that are in the log are completed. If that can't be known, its
 * commit is a gap.
 *
 * @see <a href=
 * "https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_replication_binlog_event.html">
 * Binlog Event</a>
 */
final class BinlogEvents implements BinaryLogClient.EventListener {

	/**
	 * More keys that one transaction deletes stay until the filter is loaded again.
	 */
	private static final int MOST_REMOVED = 100_000;

	private static final long WRAP = 1L << 32;

	private final MySqlTable table;

	private final Map<Integer, String> collations;

	private final String log;

	private final boolean prepared;

	private final Target target;

	private final Map<Long, TableMapEventData> tables = new HashMap<>();

	private final List<Object> removed = new ArrayList<>();

	private long file;

	private long created;

	private long offset;

	private boolean open;

	BinlogEvents(MySqlTable table, Map<Integer, String> collations, String log, boolean prepared, Target target) {
		this.table = table;
		this.collations = collations;
		this.log = log;
		this.prepared = prepared;
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
			if (header.getNextPosition() > 0) {
				this.offset = unfold(header.getNextPosition());
			}
			if (!this.open && header.getNextPosition() > 0) {
				this.tables.clear();
				this.target.reach(position(this.offset));
			}
		}
		catch (RuntimeException | StackOverflowError ex) {
			this.target.fail((ex instanceof LostLogException) ? ex : new LostLogException(ex.toString(), ex));
		}
	}

	/**
	 * An event has the low 32 bits of its end: a transaction may be longer than that.
	 */
	private long unfold(long low) {
		long next = (this.offset & ~(WRAP - 1)) + low;
		return (this.offset - next > WRAP / 2) ? next + WRAP : next;
	}

	private FilePosition position(long offset) {
		return new FilePosition(this.log, this.file, this.created, offset);
	}

	private void read(EventHeaderV4 header, Event event) {
		switch (header.getEventType()) {
			case ROTATE -> {
				RotateEventData rotation = event.getData();
				this.file = BinlogPlace.number(rotation.getBinlogFilename());
				this.offset = rotation.getBinlogPosition();
				// until the file is described, nothing of it is reached
				this.open = true;
			}
			case FORMAT_DESCRIPTION -> {
				this.created = header.getTimestamp() / 1000;
				this.open = false;
				this.target.begin(position(BinlogPlace.FIRST));
			}
			case TABLE_MAP -> this.open = true;
			case WRITE_ROWS, EXT_WRITE_ROWS, UPDATE_ROWS, EXT_UPDATE_ROWS, DELETE_ROWS, EXT_DELETE_ROWS -> {
				RowChanges changes = event.getData();
				if (changes != null) {
					rows(changes);
				}
			}
			case TRANSACTION_PAYLOAD -> {
				CompressedEvents compressed = event.getData();
				compressed.forEach((inner) -> read(inner.getHeader(), inner));
			}
			case XID -> end(true);
			case XA_PREPARE -> end(false);
			case QUERY -> {
				QueryEventData query = event.getData();
				query(BinlogStatement.of(Objects.toString(query.getDatabase(), ""), query.getSql()));
			}
			case INCIDENT, EXECUTE_LOAD_QUERY, LOAD, NEW_LOAD, PRE_GA_WRITE_ROWS, PRE_GA_UPDATE_ROWS,
					PARTIAL_UPDATE_ROWS_EVENT, UNKNOWN ->
				throw new LostLogException("it has an event of the type " + header.getEventType());
			default -> {
				// no key is new
			}
		}
	}

	private void query(BinlogStatement statement) {
		Boolean committed = statement.committed();
		if (committed != null) {
			end(committed);
		}
		else if (!statement.isRowless()) {
			throw new LostLogException("it has the statement " + statement
					+ " instead of the rows that it may have changed, because binlog_format was not ROW");
		}
		else if (statement.isRedefining(this.table)) {
			throw new LostLogException("it has the statement " + statement + ", after which keys may be others");
		}
		else if (statement.isPreparedCommit() && !this.prepared) {
			throw new LostLogException("it has the commit of a transaction that may have been prepared before this"
					+ " filter was loaded. Run: grant xa_recover_admin on *.* to the user");
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
		void begin(FilePosition file);

		void add(List<Object> keys);

		/**
		 * Remove keys that one transaction deleted, after all that was reached before it.
		 */
		void remove(List<Object> keys);

		void reach(FilePosition position);

		void fail(Throwable failure);

	}

}
