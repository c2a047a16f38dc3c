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

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.bloomguard.catchup.ChangeLog;
import io.github.bloomguard.catchup.ChangeReader;
import io.github.bloomguard.catchup.FeedSpecification;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LogPosition;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/**
 * The write-ahead log of PostgreSQL, decoded by {@code pgoutput} for one table. A
 * position is a log sequence number on one timeline of one server: a standby that is
 * promoted begins another timeline, and may lack the end of the former one. What the keys
 * of the table depend on is part of the name of its log, because no record tells that it
 * has changed, as by {@code alter type … using}. The replication slot is the lease: the
 * server lets one connection have it, and takes it away from one that is silent.
 * <p>
 * A mark is an empty logical message in a transaction of its own. Its commit forces the
 * log to the disk, also what others have committed with {@code synchronous_commit = off},
 * which would not be decoded before that. Nothing is written if the reader is at the end
 * of the log.
 *
 * @see <a href=
 * "https://www.postgresql.org/docs/current/protocol-logical-replication.html"> Logical
 * Streaming Replication Protocol</a>
 */
final class PostgresChangeLog implements ChangeLog {

	private static final String IN_USE = "55006";

	/**
	 * Begins a statement, with table, publication and columns as its parameters: the log,
	 * and its end.
	 */
	private static final String POSITION = PostgresPublication.MISSING + PostgresTable.FINGERPRINT + """
			select concat_ws('/', (select system_identifier from pg_control_system()), left(pg_walfile_name(p.lsn), 8),
			  (select hash from fingerprint)), p.lsn - '0/0'::pg_lsn
			""";

	private static final String END = " from (select pg_current_wal_insert_lsn() as lsn offset 0) p";

	private static final String MARK = POSITION + """
			, case when p.lsn > '0/0'::pg_lsn + ?::bigint then pg_logical_emit_message(true, 'bloom-guard', '') end,
			""" + PostgresPublication.COMPLETE + END;

	private static final String STATUS = POSITION + """
			, s.slot_name, active_pid, confirmed_flush_lsn - '0/0', p.lsn - coalesce(confirmed_flush_lsn, restart_lsn),
			 p.lsn - restart_lsn, exists (select from missing), coalesce(wal_status = 'lost', false)
			  or
			""" + PostgresPublication.USELESS + END + " left join pg_replication_slots s on s.slot_name = ?";

	/**
	 * How long the server may take to see that the connection of a reader is closed.
	 */
	private static final Duration RELEASE = Duration.ofSeconds(5);

	private static final Executor SAME_THREAD = Runnable::run;

	private final FeedSpecification specification;

	private final PostgresServer server;

	private final String name;

	private final PostgresPublication publication;

	/**
	 * For all that no caller of a guarded method waits for.
	 */
	private final LogSession statements;

	private final LogSession marks;

	PostgresChangeLog(FeedSpecification specification, PostgresServer server) {
		this.specification = specification;
		this.server = server;
		this.name = SlotName.of(specification.owner(), specification.filter());
		this.publication = new PostgresPublication(specification, this.name);
		this.statements = new LogSession(server::connect);
		this.marks = new LogSession(server::connect);
	}

	@Override
	public void check() {
		this.statements.execute((connection) -> {
			PostgresRequirements.read(connection, this.name).check(this.specification);
			Slot slot = slot(connection);
			PostgresTable table = PostgresTable.read(connection, this.specification);
			table.check(this.specification);
			this.publication.check(connection, table, slot.exists() ? replacement() : "");
			return table;
		});
	}

	/**
	 * A slot that served another table lacks rows of this one.
	 */
	private String replacement() {
		return dropSlot(this.name) + "; " + PostgresPublication.drop(this.name) + "; ";
	}

	@Override
	public LogPosition begin() {
		return this.statements.execute((connection) -> {
			prepare(connection);
			return end(connection);
		});
	}

	private LogPosition end(Connection connection) throws SQLException {
		try (PreparedStatement statement = statement(connection, POSITION + END);
				ResultSet row = statement.executeQuery()) {
			row.next();
			return position(row);
		}
	}

	private PreparedStatement statement(Connection connection, String sql) throws SQLException {
		PreparedStatement statement = connection.prepareStatement(sql);
		statement.setString(1, this.specification.table());
		statement.setString(2, this.name);
		// any of them may decide which rows are read
		statement.setArray(3, this.specification.conditional() ? null : connection.createArrayOf("text", keyColumns()));
		return statement;
	}

	private Object[] keyColumns() {
		return this.specification.keyColumns()
			.stream()
			.flatMap((column) -> Stream.of(column, column.toLowerCase(Locale.ROOT)))
			.toArray();
	}

	private static LogPosition position(ResultSet row) throws SQLException {
		return new FilePosition(row.getString(1), row.getLong(2));
	}

	/**
	 * Publish the table, and only then keep the log: what is decoded must have been
	 * published when it was written. A useless slot can't be dropped before the instance
	 * that follows has noticed, and is dropped before the table is published anew, which
	 * would hide that it lacks rows.
	 */
	private PostgresTable prepare(Connection connection) throws SQLException {
		PostgresTable table = table(connection);
		Slot slot = slot(connection);
		if (slot.exists() && !slot.useless()) {
			extend(connection, slot);
			return table;
		}
		this.publication.check(connection, table, "");
		if (slot.exists()) {
			PostgresServer.execute(connection, dropSlot(this.name));
		}
		this.publication.complete(connection, table);
		create(connection);
		return table;
	}

	private PostgresTable table(Connection connection) throws SQLException {
		PostgresTable table = PostgresTable.read(connection, this.specification);
		table.check(this.specification);
		return table;
	}

	private void extend(Connection connection, Slot slot) throws SQLException {
		if (slot.incomplete()) {
			this.publication.extend(connection);
		}
	}

	/**
	 * Create the slot, which takes as long as the oldest transaction that writes.
	 */
	private void create(Connection connection) throws SQLException {
		int timeout = connection.getNetworkTimeout();
		connection.setNetworkTimeout(SAME_THREAD, 0);
		try (PreparedStatement statement = connection
			.prepareStatement("select pg_create_logical_replication_slot(?, 'pgoutput')")) {
			statement.setString(1, this.name);
			statement.execute();
		}
		connection.setNetworkTimeout(SAME_THREAD, timeout);
	}

	@Override
	public Optional<ChangeReader> follow(LogPosition reached) {
		this.statements.execute(this::prepare);
		Connection connection = null;
		try {
			connection = this.server.replicate();
			PGConnection postgres = connection.unwrap(PGConnection.class);
			PGReplicationStream stream = postgres.getReplicationAPI()
				.replicationStream()
				.logical()
				.withSlotName(this.name)
				.withSlotOption("proto_version", "1")
				.withSlotOption("publication_names", this.name)
				.withSlotOption("messages", "true")
				.withStartPosition(LogSequenceNumber.valueOf(0))
				.withAutomaticFlush(false)
				.withStatusInterval(1, TimeUnit.SECONDS)
				.start();
			String identity = String.valueOf(postgres.getBackendPID());
			FeedStatus status = status(reached);
			if (!identity.equals(status.follower())) {
				throw new SQLException("The slot " + this.name + " is not that of the connection", IN_USE);
			}
			// after the name of the log, which is another one if the table changes from
			// here
			PostgresTable table = this.statements.execute(this::table);
			return Optional.of(new PostgresReader(connection, stream, identity, status.released(), new PgOutput(table),
					this.statements.execute(PostgresChangeLog::clockOffset), this::abandon));
		}
		catch (SQLException ex) {
			LogSession.close(connection);
			if (IN_USE.equals(ex.getSQLState())) {
				return Optional.empty();
			}
			throw new LogAccessException(ex);
		}
		catch (RuntimeException ex) {
			LogSession.close(connection);
			throw ex;
		}
	}

	/**
	 * Give up a log with a record that can't be read: the next one begins behind it.
	 */
	private void abandon() {
		this.statements.execute((connection) -> {
			PostgresServer.execute(connection,
					"select pg_terminate_backend(active_pid, " + RELEASE.toMillis()
							+ ") from pg_replication_slots where active and slot_name = '" + this.name + "'",
					dropSlot(this.name));
			return this.name;
		});
	}

	/**
	 * Return the most milliseconds that the server's clock is ahead of this one.
	 */
	private static long clockOffset(Connection connection) throws SQLException {
		long before = System.currentTimeMillis();
		try (Statement statement = connection.createStatement();
				ResultSet row = statement
					.executeQuery("select (extract(epoch from clock_timestamp()) * 1000)::bigint")) {
			row.next();
			return row.getLong(1) - before;
		}
	}

	@Override
	public LogPosition mark(LogPosition reached) {
		return this.marks.execute((connection) -> {
			try (PreparedStatement statement = statement(connection, MARK)) {
				statement.setLong(4, FilePosition.of(reached).offset());
				try (ResultSet row = statement.executeQuery()) {
					row.next();
					LogPosition end = position(row);
					if (!row.getBoolean(4)) {
						throw new LogAccessException(new SQLException(
								"Not all rows of " + this.specification.table() + " are published by " + this.name));
					}
					return end;
				}
			}
		});
	}

	@Override
	public FeedStatus status(LogPosition reached) {
		return this.statements.execute((connection) -> {
			Slot slot = slot(connection);
			if (slot.exists()) {
				extend(connection, slot);
			}
			return slot.status();
		});
	}

	private Slot slot(Connection connection) throws SQLException {
		try (PreparedStatement query = statement(connection, STATUS)) {
			query.setString(4, this.name);
			try (ResultSet row = query.executeQuery()) {
				row.next();
				boolean exists = row.getString(3) != null;
				boolean useless = row.getBoolean(9);
				FilePosition released = new FilePosition(row.getString(1), row.getLong(5));
				return new Slot(new FeedStatus(this.name, useless ? null : row.getString(4), released, row.getLong(6),
						row.getLong(7)), exists, row.getBoolean(8) && !useless, useless);
			}
		}
	}

	static void drop(Connection connection, String name) throws SQLException {
		PostgresServer.execute(connection, dropSlot(name), PostgresPublication.drop(name));
	}

	private static String dropSlot(String name) {
		return "select pg_drop_replication_slot('" + name + "')";
	}

	@Override
	public void close() {
		this.statements.close();
		this.marks.close();
	}

	/**
	 * The replication slot of a feed.
	 *
	 * @param incomplete whether a part of the table is not published, and still empty
	 * @param useless whether its log is gone, or lacks rows of the table
	 */
	private record Slot(FeedStatus status, boolean exists, boolean incomplete, boolean useless) {

	}

}
