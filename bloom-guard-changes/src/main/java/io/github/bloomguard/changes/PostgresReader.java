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
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.catchup.ChangeReader;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.feed.LostLogException;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;
import org.postgresql.util.PSQLException;

/**
 * Reads the log through a replication connection, which has the slot while it is open.
 */
final class PostgresReader implements ChangeReader {

	private static final int BATCH = 1000;

	/**
	 * How long keys are gathered after the first, if there is more of them: while others
	 * write there is always one more.
	 */
	private static final long GATHERING = TimeUnit.MILLISECONDS.toNanos(2);

	/**
	 * How long it takes at most to read what has been received.
	 */
	private static final long RECEIVED = TimeUnit.MICROSECONDS.toNanos(100);

	/**
	 * Milliseconds by which the clocks may differ beyond the known offset.
	 */
	private static final long DRIFT = 1000;

	/**
	 * Classes of errors: of data, of names, and of the server itself.
	 */
	private static final Set<String> UNREADABLE = Set.of("22", "42", "XX");

	private final Connection connection;

	private final PGReplicationStream stream;

	private final String identity;

	private final FilePosition start;

	private final PgOutput output;

	private final long clockOffset;

	/**
	 * Gives up the log that there is.
	 */
	private final Runnable lost;

	/**
	 * Even while {@link #next} waits. Written by the thread that reads.
	 */
	private volatile long turns = 1;

	PostgresReader(Connection connection, PGReplicationStream stream, String identity, FilePosition start,
			PgOutput output, long clockOffset, Runnable lost) {
		this.connection = connection;
		this.stream = stream;
		this.identity = identity;
		this.start = start;
		this.output = output;
		this.clockOffset = clockOffset;
		this.lost = lost;
	}

	@Override
	public LogPosition start() {
		return this.start;
	}

	@Override
	public String identity() {
		return this.identity;
	}

	/**
	 * To ask whether more has been received takes a millisecond if nothing has. So a
	 * transaction that had to be waited for is not gathered with others.
	 */
	@Override
	public Changes next() {
		try {
			long asked = System.nanoTime();
			this.turns++;
			@Nullable ByteBuffer message = this.stream.read();
			this.turns++;
			long begun = System.nanoTime();
			boolean waited = begun - asked > RECEIVED;
			while (message != null) {
				this.output.read(message);
				boolean more = this.output.size() < BATCH && System.nanoTime() - begun < GATHERING
						&& (!waited || this.output.isWithinTransaction());
				message = more ? this.stream.readPending() : null;
			}
		}
		catch (SQLException ex) {
			throw isRefused(ex) ? lose(ex) : new LogAccessException(ex);
		}
		catch (RuntimeException ex) {
			throw lose(ex);
		}
		PgOutput.Batch batch = this.output.take();
		long since = System.nanoTime();
		if (!batch.removed().isEmpty()) {
			long age = Math.max(System.currentTimeMillis() + this.clockOffset - batch.oldest(), 0) + DRIFT;
			since -= TimeUnit.MILLISECONDS.toNanos(age);
		}
		return new Changes(batch.added(), batch.removed(), (batch.position() != 0) ? position(batch.position()) : null,
				since);
	}

	/**
	 * Return whether the server itself can't decode its log, as without the publication
	 * of that time.
	 */
	private static boolean isRefused(SQLException ex) {
		return ex instanceof PSQLException postgres && postgres.getServerErrorMessage() != null
				&& UNREADABLE.contains(String.valueOf(ex.getSQLState()).substring(0, 2));
	}

	private LostLogException lose(Exception ex) {
		close();
		this.lost.run();
		return (ex instanceof LostLogException lost) ? lost : new LostLogException(ex.toString(), ex);
	}

	/**
	 * The last position that the server sent is either the end of what it has decoded, or
	 * a change that is not returned yet, of a transaction that was committed behind it.
	 */
	@Override
	public @Nullable LogPosition idle() {
		long turn = this.turns;
		long received = this.stream.getLastReceiveLSN().asLong();
		return (turn % 2 == 0 && this.turns == turn && received != 0) ? position(received) : null;
	}

	private LogPosition position(long offset) {
		return new FilePosition(this.start.log(), offset);
	}

	@Override
	public void release(LogPosition position) {
		LogSequenceNumber released = LogSequenceNumber.valueOf(FilePosition.of(position).offset());
		this.stream.setAppliedLSN(released);
		this.stream.setFlushedLSN(released);
	}

	@Override
	public void close() {
		LogSession.close(this.connection);
	}

}
