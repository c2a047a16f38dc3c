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
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.shyiko.mysql.binlog.event.QueryEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.ColumnType;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventText}.
 */
class EventTextTests {

	private static final String SCHEMA = "größe";

	private static final String STATEMENT = "drop table 商品";

	@Test
	void namesAreReadWhateverTheCharacterSetOfTheJvm() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Dfile.encoding=US-ASCII", "-cp", System.getProperty("java.class.path"), Decoding.class.getName())
			.redirectErrorStream(true)
			.start();
		assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
			.isEqualTo("true true true true");
	}

	static final class Decoding {

		private Decoding() {
		}

		public static void main(String... arguments) throws IOException {
			ByteArrayOutputStream event = new ByteArrayOutputStream();
			byte[] schema = SCHEMA.getBytes(StandardCharsets.UTF_8);
			event.write(new byte[8]);
			event.write(schema.length);
			event.write(new byte[4]);
			event.write(schema);
			event.write(0);
			event.write(STATEMENT.getBytes(StandardCharsets.UTF_8));
			QueryEventData query = EventText.statements().deserialize(new ByteArrayInputStream(event.toByteArray()));
			TableMapEventData table = EventText.tables((described) -> true)
				.deserialize(new ByteArrayInputStream(table()));
			System.out.print(Stream
				.of(SCHEMA.equals(query.getDatabase()), STATEMENT.equals(query.getSql()),
						SCHEMA.equals(table.getTable()),
						BinlogColumn.find(SCHEMA, table, Map.of()).type() == ColumnType.LONGLONG)
				.map(String::valueOf)
				.collect(Collectors.joining(" ")));
		}

		private static byte[] table() throws IOException {
			byte[] name = SCHEMA.getBytes(StandardCharsets.UTF_8);
			ByteArrayOutputStream event = new ByteArrayOutputStream();
			event.write(new byte[8]);
			for (int i = 0; i < 2; i++) {
				event.write(name.length);
				event.write(name);
				event.write(0);
			}
			// one column without metadata of its type, which may not be null
			event.write(new byte[] { 1, (byte) ColumnType.LONGLONG.getCode(), 0, 0 });
			// the names of columns
			event.write(new byte[] { 4, (byte) (name.length + 1), (byte) name.length });
			event.write(name);
			return event.toByteArray();
		}

	}

}
