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

import com.github.shyiko.mysql.binlog.event.QueryEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.QueryEventDataDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Utf8Event}.
 */
class Utf8EventTests {

	private static final String SCHEMA = "größe";

	private static final String STATEMENT = "drop table 商品";

	@Test
	void namesAreReadWhateverTheCharacterSetOfTheJvm() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Dfile.encoding=US-ASCII", "-cp", System.getProperty("java.class.path"), Decoding.class.getName())
			.redirectErrorStream(true)
			.start();
		assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("true true");
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
			QueryEventData query = Utf8Event.deserializer(new QueryEventDataDeserializer())
				.deserialize(new ByteArrayInputStream(event.toByteArray()));
			System.out.print(SCHEMA.equals(query.getDatabase()) + " " + STATEMENT.equals(query.getSql()));
		}

	}

}
