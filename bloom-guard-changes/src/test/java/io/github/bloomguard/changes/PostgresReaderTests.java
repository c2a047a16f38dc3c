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
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

import io.github.bloomguard.catchup.ChangeReader.Changes;
import io.github.bloomguard.catchup.LogPosition;
import org.junit.jupiter.api.Test;
import org.postgresql.replication.PGReplicationStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link PostgresReader}.
 */
class PostgresReaderTests {

	private long position;

	/**
	 * Such are the transactions of other tables, which have no keys to count.
	 */
	@Test
	void changesAreGivenAlthoughMoreComeWithoutAnEnd() throws Exception {
		PGReplicationStream stream = mock(PGReplicationStream.class);
		given(stream.read()).willAnswer((call) -> commit());
		given(stream.readPending()).willAnswer((call) -> commit());
		PostgresReader reader = new PostgresReader(mock(Connection.class), stream, "1", 0, new PgOutput(List.of()), 0);
		Changes changes = assertTimeoutPreemptively(Duration.ofSeconds(30), reader::next);
		assertThat(changes.position()).isEqualTo(LogPosition.of(this.position));
	}

	private ByteBuffer commit() {
		this.position++;
		return ByteBuffer.allocate(26).put((byte) 'C').put((byte) 0).putLong(0).putLong(this.position).rewind();
	}

}
