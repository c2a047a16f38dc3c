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
import java.util.Map;

import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.deserialization.EventHeaderDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.EventHeaderV4Deserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;

/**
 * Reads headers of events, also of those without a change that are newer than the client.
 *
 * @see <a href=
 * "https://dev.mysql.com/doc/dev/mysql-server/latest/namespacemysql_1_1binlog_1_1event.html">
 * Types of events</a>
 */
final class EventHeaders implements EventHeaderDeserializer<EventHeaderV4> {

	private static final int LENGTH = 19;

	private static final int TYPE = 4;

	/**
	 * Heartbeats and GTIDs with a tag, each with the older type that has the same form.
	 */
	private static final Map<Byte, Byte> KNOWN = Map.of((byte) 41, (byte) 27, (byte) 42, (byte) 34);

	private final EventHeaderV4Deserializer deserializer = new EventHeaderV4Deserializer();

	@Override
	public EventHeaderV4 deserialize(ByteArrayInputStream input) throws IOException {
		byte[] header = input.read(LENGTH);
		header[TYPE] = KNOWN.getOrDefault(header[TYPE], header[TYPE]);
		return this.deserializer.deserialize(new ByteArrayInputStream(header));
	}

}
