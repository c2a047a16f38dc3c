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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

import com.github.shyiko.mysql.binlog.event.QueryEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDataDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.QueryEventDataDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.TableMapEventDataDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.TableMapEventMetadataDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;

/**
 * An event whose texts are in UTF-8, whatever the character set of the JVM, which the
 * client takes.
 */
final class EventText extends ByteArrayInputStream {

	static final int TABLE_ID_LENGTH = 6;

	static final int FLAGS_LENGTH = 2;

	private byte[] last = new byte[0];

	private EventText(ByteArrayInputStream input) {
		super(input);
	}

	static EventDataDeserializer<QueryEventData> statements() {
		QueryEventDataDeserializer deserializer = new QueryEventDataDeserializer();
		return (input) -> deserializer.deserialize(new EventText(input));
	}

	/**
	 * Only names are read of a table that is not followed, which may have columns that
	 * the client does not know. What is told of the columns is decoded again, as the
	 * client does that with an input of its own.
	 */
	static EventDataDeserializer<TableMapEventData> tables(Predicate<TableMapEventData> followed) {
		TableMapEventDataDeserializer deserializer = new TableMapEventDataDeserializer();
		TableMapEventMetadataDeserializer columns = new TableMapEventMetadataDeserializer();
		return (input) -> {
			byte[] bytes = input.read(input.available());
			TableMapEventData named = named(new EventText(new ByteArrayInputStream(bytes)));
			if (!followed.test(named)) {
				return named;
			}
			EventText event = new EventText(new ByteArrayInputStream(bytes));
			TableMapEventData table = deserializer.deserialize(event);
			if (table.getEventMetadata() != null) {
				ByteArrayInputStream metadata = new ByteArrayInputStream(event.last);
				table.setEventMetadata(columns.deserialize(new EventText(metadata), table.getColumnTypes().length,
						table.getColumnTypes()));
			}
			return table;
		};
	}

	private static TableMapEventData named(EventText event) throws IOException {
		TableMapEventData table = new TableMapEventData();
		table.setTableId(event.readLong(TABLE_ID_LENGTH));
		event.read(FLAGS_LENGTH + 1);
		table.setDatabase(event.readZeroTerminatedString());
		event.read(1);
		table.setTable(event.readZeroTerminatedString());
		return table;
	}

	@Override
	public byte[] read(int length) throws IOException {
		this.last = super.read(length);
		return this.last;
	}

	@Override
	public String readString(int length) throws IOException {
		return new String(read(length), StandardCharsets.UTF_8);
	}

	@Override
	public String readZeroTerminatedString() throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (int next = read(); next != 0; next = read()) {
			bytes.write(next);
		}
		return bytes.toString(StandardCharsets.UTF_8);
	}

}
