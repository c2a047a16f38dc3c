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
import java.nio.charset.StandardCharsets;

import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDataDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;

/**
 * An event whose names are in UTF-8, whatever the default character set of the JVM, which
 * the client takes.
 */
final class Utf8Event extends ByteArrayInputStream {

	private Utf8Event(ByteArrayInputStream input) {
		super(input);
	}

	static <T extends EventData> EventDataDeserializer<T> deserializer(EventDataDeserializer<T> deserializer) {
		return (input) -> deserializer.deserialize(new Utf8Event(input));
	}

	@Override
	public String readString(int length) throws IOException {
		return new String(read(length), StandardCharsets.UTF_8);
	}

	@Override
	public String readZeroTerminatedString() throws IOException {
		java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
		for (int next = read(); next != 0; next = read()) {
			bytes.write(next);
		}
		return bytes.toString(StandardCharsets.UTF_8);
	}

}
