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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

import com.github.luben.zstd.ZstdInputStream;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.TransactionPayloadEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import io.github.bloomguard.feed.LostLogException;

/**
 * The events of a transaction that MySQL has compressed. They are read one after another,
 * as all of them may be more than fits into memory.
 *
 * @see <a href=
 * "https://dev.mysql.com/doc/dev/mysql-server/latest/classmysql_1_1binlog_1_1event_1_1Transaction__payload__event.html">
 * Transaction payload event</a>
 */
final class CompressedEvents extends TransactionPayloadEventData {

	private static final int END = 0;

	private static final int COMPRESSION_FIELD = 2;

	private static final int ZSTD = 0;

	private final transient InputStream events;

	private final transient EventDeserializer deserializer;

	private CompressedEvents(InputStream events, EventDeserializer deserializer) {
		this.events = events;
		this.deserializer = deserializer;
		// for the client, which looks for tables in it
		setUncompressedEvents(new ArrayList<>());
	}

	static CompressedEvents read(com.github.shyiko.mysql.binlog.io.ByteArrayInputStream input,
			Predicate<TableMapEventData> followed, Map<Long, TableMapEventData> tables) throws IOException {
		long compression = ZSTD;
		for (int field = input.readPackedInteger(); field != END; field = input.readPackedInteger()) {
			int length = input.readPackedInteger();
			if (field == COMPRESSION_FIELD) {
				compression = input.readPackedLong();
			}
			else {
				input.read(length);
			}
		}
		InputStream payload = new ByteArrayInputStream(input.read(input.available()));
		return new CompressedEvents((compression == ZSTD) ? new ZstdInputStream(payload) : payload,
				RowChanges.deserializer(followed, tables));
	}

	void forEach(Consumer<Event> reader) {
		try (com.github.shyiko.mysql.binlog.io.ByteArrayInputStream input = new com.github.shyiko.mysql.binlog.io.ByteArrayInputStream(
				this.events)) {
			for (Event event = this.deserializer.nextEvent(input); event != null; event = this.deserializer
				.nextEvent(input)) {
				reader.accept(event);
			}
		}
		catch (IOException ex) {
			throw new LostLogException("its compressed events can't be read: " + ex, ex);
		}
	}

}
