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

import java.io.IOException;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.AbstractRowsEventDataDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDataDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer.CompatibilityMode;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer.EventDataWrapper;
import com.github.shyiko.mysql.binlog.event.deserialization.FormatDescriptionEventDataDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.NullEventDataDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.RotateEventDataDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import io.github.bloomguard.feed.LostLogException;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the binary log that one event changes.
 *
 * @param before the rows before they are changed or deleted, {@code null} if they are new
 * @param after the rows after it, {@code null} if they are deleted
 */
record RowChanges(TableMapEventData table, @Nullable Rows before, @Nullable Rows after) implements EventData {

	static EventDeserializer deserializer(Predicate<TableMapEventData> followed, Map<Long, TableMapEventData> tables) {
		Map<EventType, EventDataDeserializer<?>> types = new HashMap<>();
		types.put(EventType.FORMAT_DESCRIPTION, new FormatDescriptionEventDataDeserializer());
		types.put(EventType.ROTATE, new RotateEventDataDeserializer());
		types.put(EventType.QUERY, EventText.statements());
		// in place of the one of the client, which fails at a type that it does not know
		types.put(EventType.TABLE_MAP,
				new EventDataWrapper.Deserializer(EventText.tables(followed), new NullEventDataDeserializer()));
		types.put(EventType.TRANSACTION_PAYLOAD,
				(EventDataDeserializer<CompressedEvents>) (input) -> compressed(input, followed, tables));
		types.put(EventType.WRITE_ROWS, new Deserializer(followed, tables, false, false, true));
		types.put(EventType.EXT_WRITE_ROWS, new Deserializer(followed, tables, true, false, true));
		types.put(EventType.UPDATE_ROWS, new Deserializer(followed, tables, false, true, true));
		types.put(EventType.EXT_UPDATE_ROWS, new Deserializer(followed, tables, true, true, true));
		types.put(EventType.DELETE_ROWS, new Deserializer(followed, tables, false, true, false));
		types.put(EventType.EXT_DELETE_ROWS, new Deserializer(followed, tables, true, true, false));
		EventDeserializer deserializer = new EventDeserializer(new EventHeaders(), new NullEventDataDeserializer(),
				new HashMap<>(types), tables);
		deserializer.setCompatibilityMode(CompatibilityMode.CHAR_AND_BINARY_AS_BYTE_ARRAY);
		return deserializer;
	}

	private static CompressedEvents compressed(ByteArrayInputStream input, Predicate<TableMapEventData> followed,
			Map<Long, TableMapEventData> tables) throws IOException {
		try {
			return CompressedEvents.read(input, followed, tables);
		}
		catch (LinkageError ex) {
			throw new LostLogException("it is compressed, and com.github.luben:zstd-jni can't be used", ex);
		}
	}

	/**
	 * Rows in one state, with values only for the columns that are written.
	 */
	record Rows(BitSet columns, List<Serializable[]> values) {

		Rows(BitSet columns) {
			this(columns, new ArrayList<>());
		}

		@Nullable Serializable value(Serializable[] row, int place) {
			if (!this.columns.get(place)) {
				throw new LostLogException("it does not have all columns, because binlog_row_image was not FULL");
			}
			return row[this.columns.get(0, place).cardinality()];
		}

	}

	/**
	 * Reads one type of event.
	 *
	 * @see <a href=
	 * "https://dev.mysql.com/doc/dev/mysql-server/latest/classbinary__log_1_1Rows__event.html">
	 * Rows event</a>
	 */
	private static final class Deserializer extends AbstractRowsEventDataDeserializer<RowChanges> {

		private static final int DATE_LENGTH = 3;

		private final Predicate<TableMapEventData> followed;

		private final Map<Long, TableMapEventData> tables;

		private final boolean extra;

		private final boolean before;

		private final boolean after;

		Deserializer(Predicate<TableMapEventData> followed, Map<Long, TableMapEventData> tables, boolean extra,
				boolean before, boolean after) {
			super(tables);
			this.followed = followed;
			this.tables = tables;
			this.extra = extra;
			this.before = before;
			this.after = after;
		}

		@Override
		public @Nullable RowChanges deserialize(ByteArrayInputStream input) throws IOException {
			long id = input.readLong(EventText.TABLE_ID_LENGTH);
			TableMapEventData table = this.tables.get(id);
			if (table == null) {
				throw new IOException("The log has rows of a table that it has not described");
			}
			if (!this.followed.test(table)) {
				return null;
			}
			input.readInteger(EventText.FLAGS_LENGTH);
			if (this.extra) {
				input.read(input.readInteger(EventText.FLAGS_LENGTH) - EventText.FLAGS_LENGTH);
			}
			int count = input.readPackedInteger();
			Rows before = this.before ? new Rows(input.readBitSet(count, true)) : null;
			Rows after = this.after ? new Rows(input.readBitSet(count, true)) : null;
			while (input.available() > 0) {
				read(before, id, input);
				read(after, id, input);
			}
			return new RowChanges(table, before, after);
		}

		/**
		 * The superclass uses the Julian calendar for old dates.
		 */
		@Override
		protected @Nullable Serializable deserializeDate(ByteArrayInputStream input) throws IOException {
			int value = input.readInteger(DATE_LENGTH);
			int day = value & 0x1F;
			int month = (value >> 5) & 0xF;
			return (day > 0 && month > 0) ? LocalDate.of(value >> 9, month, day) : null;
		}

		private void read(@Nullable Rows rows, long table, ByteArrayInputStream input) throws IOException {
			if (rows != null) {
				rows.values().add(deserializeRow(table, rows.columns(), input));
			}
		}

	}

}
