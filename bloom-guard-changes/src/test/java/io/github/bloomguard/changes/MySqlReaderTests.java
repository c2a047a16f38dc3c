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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.github.luben.zstd.Zstd;
import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.ColumnType;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import io.github.bloomguard.catchup.ChangeReader.Changes;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.feed.LostLogException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link MySqlReader}, which gets the events of a server that need not run.
 */
class MySqlReaderTests {

	private static final int TABLE_MAP = 19;

	private static final int WRITE_ROWS = 30;

	private static final int XID = 16;

	private static final int TRANSACTION_PAYLOAD = 40;

	private static final int TAGGED_GTID = 42;

	private static final int HEADER = 19;

	private static final int VECTOR = 242;

	private static final long END = 100;

	private final MySqlLease lease = mock(MySqlLease.class);

	private final MySqlReader reader = new MySqlReader(new BinaryLogClient("localhost", 3306, "", ""), this.lease,
			Duration.ofMillis(1), (lost) -> {
			});

	private final BinlogEvents events = new BinlogEvents(new MySqlTable("shop", "product", true, List.of("id"), true),
			Map.of(), "server", true, this.reader);

	private final EventDeserializer deserializer = this.events.deserializer();

	@BeforeEach
	void endTheLog() {
		given(this.lease.renew()).willReturn(new BinlogPlace(1, END));
	}

	@Test
	void positionInAFileThatBeganAnewIsOfAnotherLog() throws InterruptedException {
		begin(1000);
		commit(END);
		LogPosition reached = Objects.requireNonNull(this.reader.next().position());
		begin(1001);
		commit(END);
		LogPosition later = Objects.requireNonNull(this.reader.next().position());
		assertThat(later.isOfLogOf(reached)).isFalse();
	}

	@Test
	void offsetsGoOnBehindFourGigabytes() throws InterruptedException {
		begin(1000);
		commit(0xFFFF_FFF0L);
		commit(END);
		assertThat(FilePosition.of(Objects.requireNonNull(this.reader.next().position())).offset())
			.isEqualTo((1L << 32) + END);
		commit(END - 1);
		assertThat(FilePosition.of(Objects.requireNonNull(this.reader.next().position())).offset())
			.isLessThan((1L << 32) + END);
	}

	@Test
	void eventThatCantBeReadIsALostLog() {
		begin(1000);
		send(EventType.QUERY, 1000, END, null);
		assertThatExceptionOfType(LostLogException.class).isThrownBy(this.reader::next);
	}

	@Test
	void removalCountsFromBeforeItsRowWasDeleted() throws InterruptedException {
		begin(1000);
		commit(END);
		this.reader.next();
		long noted = System.nanoTime();
		this.reader.remove(List.of(1L));
		this.reader.remove(List.of(2L));
		Changes changes = this.reader.next();
		assertThat(changes.removed()).isEqualTo(List.of(1L, 2L));
		assertThat(changes.since() - noted).isNegative();
	}

	@Test
	void rowOfWhichIsNotKnownHowLongItHasBeenDeletedIsNotRemoved() throws InterruptedException {
		begin(1000);
		commit(END - 1);
		this.reader.next();
		this.reader.remove(List.of(1L));
		commit(END);
		assertThat(this.reader.next().removed()).isEmpty();
	}

	@Test
	void columnsOfATableThatIsNotFollowedMayBeOfATypeThatTheClientDoesNotKnow() throws Exception {
		begin(1000);
		receive(event(TABLE_MAP, "......\0\0\4shop\0\5other\0", 1, VECTOR, 1, 4, 0));
		receive(event(WRITE_ROWS, "......\0\0\2\0", 1, 1, 0, 4));
		commit(END);
		assertThat(FilePosition.of(Objects.requireNonNull(this.reader.next().position())).offset()).isEqualTo(END);
	}

	@Test
	void transactionWithATaggedGtidIsRead() throws Exception {
		begin(1000);
		receive(event(TAGGED_GTID, "something newer"));
		commit(END);
		assertThat(FilePosition.of(Objects.requireNonNull(this.reader.next().position())).offset()).isEqualTo(END);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void compressedTransactionIsRead(boolean compressed) throws Exception {
		ByteArrayOutputStream events = new ByteArrayOutputStream();
		events.write(event(TABLE_MAP, "......\0\0\4shop\0\7product\0", 1, ColumnType.LONGLONG.getCode(), 0, 0, 4, 3, 2,
				'i', 'd'));
		events.write(event(WRITE_ROWS, "......\0\0\2\0", 1, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0));
		events.write(event(XID, "12345678"));
		byte[] payload = compressed ? Zstd.compress(events.toByteArray()) : events.toByteArray();
		begin(1000);
		receive(event(TRANSACTION_PAYLOAD, "\2" + (compressed ? "\1\0" : "\3\374\377\0") + "\3\1\177\1\1\177\0",
				payload));
		assertThat(this.reader.next().added()).isEqualTo(List.of(7L, 8L));
	}

	private static byte[] event(int type, String text, int... bytes) {
		byte[] end = new byte[bytes.length];
		for (int i = 0; i < bytes.length; i++) {
			end[i] = (byte) bytes[i];
		}
		return event(type, text, end);
	}

	private static byte[] event(int type, String text, byte[] bytes) {
		int length = HEADER + text.length() + bytes.length;
		ByteBuffer event = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
		event.putInt(1).put((byte) type).putInt(1).putInt(length).putInt(50).putShort((short) 0);
		event.put(text.getBytes(StandardCharsets.ISO_8859_1)).put(bytes);
		return event.array();
	}

	private void receive(byte[] event) throws IOException {
		this.events.onEvent(this.deserializer.nextEvent(new ByteArrayInputStream(event)));
	}

	private void begin(long created) {
		RotateEventData rotation = new RotateEventData();
		rotation.setBinlogFilename("binlog.000001");
		send(EventType.ROTATE, 0, 0, rotation);
		send(EventType.FORMAT_DESCRIPTION, created, 0, null);
	}

	private void commit(long end) {
		send(EventType.XID, 1000, end, null);
	}

	private void send(EventType type, long second, long end, @Nullable EventData data) {
		EventHeaderV4 header = new EventHeaderV4();
		header.setEventType(type);
		header.setTimestamp(second * 1000);
		header.setNextPosition(end);
		this.events.onEvent(new Event(header, data));
	}

}
