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
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.bloomguard.catchup.ChangeReader.Changes;
import io.github.bloomguard.changes.PostgresTable.KeyColumn;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LostLogException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.replication.PGReplicationStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link PostgresReader}, which gets the messages of a server that need not
 * run.
 */
class PostgresReaderTests {

	private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

	private static final int RELATION = 16384;

	private static final int BIGINT = 20;

	private final Queue<ByteBuffer> messages = new ArrayDeque<>();

	private final PGReplicationStream stream = mock(PGReplicationStream.class);

	private long position;

	private boolean lost;

	@BeforeEach
	void sendMessages() throws SQLException {
		given(this.stream.read()).willAnswer((invocation) -> this.messages.poll());
		given(this.stream.readPending()).willAnswer((invocation) -> this.messages.poll());
	}

	/**
	 * Such are the transactions of other tables, which have no keys to count.
	 */
	@Test
	void changesAreGivenAlthoughMoreComeWithoutAnEnd() throws SQLException {
		given(this.stream.read()).willAnswer((invocation) -> commit());
		given(this.stream.readPending()).willAnswer((invocation) -> commit());
		Changes changes = assertTimeoutPreemptively(Duration.ofSeconds(30), reader(Duration.ZERO)::next);
		assertThat(changes.position()).isEqualTo(new FilePosition("log", this.position));
	}

	@Test
	void transactionThatWasWaitedForIsGivenAtItsEnd() throws SQLException {
		given(this.stream.read()).willAnswer((invocation) -> {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
			return this.messages.poll();
		});
		describe();
		delete("1", Duration.ZERO);
		delete("2", Duration.ZERO);
		PostgresReader reader = reader(Duration.ZERO);
		assertThat(removed(reader)).hasToString("[1]");
		assertThat(removed(reader)).hasToString("[2]");
	}

	/**
	 * Return what is removed next: on a busy machine there may be nothing for a while.
	 */
	private static Object removed(PostgresReader reader) throws SQLException {
		for (int i = 0; i < 100; i++) {
			Collection<?> removed = reader.next().removed();
			if (!removed.isEmpty()) {
				return removed;
			}
		}
		return List.of();
	}

	@Test
	void removalCountsFromWhenItsRowWasDeleted() {
		describe();
		delete("1", Duration.ofMinutes(2));
		delete("2", Duration.ofMinutes(1));
		assertThat(age("1", reader(Duration.ZERO))).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
	}

	@Test
	void removalCountsByTheClockOfTheServer() {
		describe();
		delete("1", Duration.ofMinutes(1));
		assertThat(age("1", reader(Duration.ofMinutes(9)))).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
		describe();
		delete("2", Duration.ofMinutes(-1));
		assertThat(age("2", reader(Duration.ofMinutes(2)))).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
	}

	@Test
	void removalOfTheFutureIsNotOfTheFuture() {
		describe();
		delete("1", Duration.ofMinutes(-5));
		assertThat(age("1", reader(Duration.ZERO))).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
	}

	/**
	 * Another one may be in its place, with rows of the same keys.
	 */
	@Test
	void rowsOfATableThatWasRenamedAreNotRemoved() {
		describe();
		delete("1", Duration.ZERO);
		describe("replaced");
		delete("2", Duration.ZERO);
		describe();
		delete("3", Duration.ZERO);
		assertThat(removed()).hasToString("[1, 3]");
	}

	/**
	 * Its table may have rows of the same keys.
	 */
	@Test
	void rowsOfAnHeirAreNotRemoved() {
		describe();
		delete("1", Duration.ZERO);
		describe(RELATION + 1, "heir");
		delete(RELATION + 1, "2", Duration.ZERO);
		assertThat(removed()).hasToString("[1]");
	}

	@Test
	void recordThatCantBeReadIsALostLog() {
		this.messages.add(message('I').putInt(RELATION).flip());
		assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> read(reader(Duration.ZERO)));
		assertThat(this.lost).isTrue();
	}

	@Test
	void recordThatIsNotWholeIsALostLog() {
		describe();
		this.messages.add(message('I').putInt(RELATION).put((byte) 'N').putShort((short) 1).flip());
		assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> read(reader(Duration.ZERO)));
		assertThat(this.lost).isTrue();
	}

	@Test
	void connectionThatIsLostLosesNoLog() throws SQLException {
		given(this.stream.read()).willThrow(new SQLException("closed", "08006"));
		assertThatExceptionOfType(LogAccessException.class).isThrownBy(reader(Duration.ZERO)::next);
		assertThat(this.lost).isFalse();
	}

	private static ByteBuffer row(ByteBuffer message, String id) {
		byte[] value = id.getBytes(StandardCharsets.UTF_8);
		return message.putShort((short) 1).put((byte) 't').putInt(value.length).put(value);
	}

	private PostgresReader reader(Duration clockOffset) {
		PostgresTable table = new PostgresTable(RELATION, List.of(), true,
				List.of(new KeyColumn("id", BIGINT, "bigint", "int8")));
		return new PostgresReader(mock(Connection.class), this.stream, "1", new FilePosition("log", 0),
				new PgOutput(table), clockOffset.toMillis(), () -> this.lost = true);
	}

	private List<Object> removed() {
		return read(reader(Duration.ZERO)).stream().<Object>flatMap((changes) -> changes.removed().stream()).toList();
	}

	private List<Changes> read(PostgresReader reader) {
		List<Changes> read = new ArrayList<>();
		while (!this.messages.isEmpty()) {
			read.add(reader.next());
		}
		return read;
	}

	/**
	 * Return how long ago a row was deleted, as far as the reader tells.
	 */
	private Duration age(String id, PostgresReader reader) {
		Changes changes = reader.next();
		while (!changes.removed().contains(id)) {
			assertThat(this.messages).as("the removal of %s", id).isNotEmpty();
			changes = reader.next();
		}
		return Duration.ofNanos(System.nanoTime() - changes.since());
	}

	/**
	 * Describe {@code public.product (id bigint primary key)}.
	 */
	private void describe() {
		describe("product");
	}

	private void describe(String table) {
		describe(RELATION, table);
	}

	private void describe(int relation, String table) {
		this.messages.add(message('R').putInt(relation)
			.put(text("public"))
			.put(text(table))
			.put((byte) 'd')
			.putShort((short) 1)
			.put((byte) 1)
			.put(text("id"))
			.putInt(BIGINT)
			.putInt(-1)
			.flip());
	}

	private void delete(String id, Duration ago) {
		delete(RELATION, id, ago);
	}

	private void delete(int relation, String id, Duration ago) {
		long committed = EPOCH.until(Instant.now().minus(ago), ChronoUnit.MICROS);
		this.messages.add(message('B').putLong(100).putLong(committed).putInt(1).flip());
		this.messages.add(row(message('D').putInt(relation).put((byte) 'K'), id).flip());
		this.messages.add(commit());
	}

	private ByteBuffer commit() {
		this.position++;
		return message('C').put((byte) 0).putLong(0).putLong(this.position).putLong(0).flip();
	}

	private static ByteBuffer message(char type) {
		return ByteBuffer.allocate(100).put((byte) type);
	}

	private static byte[] text(String text) {
		return (text + '\0').getBytes(StandardCharsets.UTF_8);
	}

}
