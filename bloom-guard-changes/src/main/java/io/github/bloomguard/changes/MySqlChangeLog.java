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
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.EventHeader;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.network.ServerException;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.ChangeLog;
import io.github.bloomguard.catchup.ChangeReader;
import io.github.bloomguard.catchup.FeedSpecification;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LogPosition;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The binary log of MySQL or MariaDB, which the server keeps as long as it is configured
 * to. A lock of the server's is the lease. Reading begins where the filter has come to,
 * or, if the log does not have that any more, at its end, and the filter is loaded again.
 * <p>
 * A mark is the end of the log: a transaction is written to it before others see its
 * rows. None is given when the log was reset.
 *
 * @see <a href=
 * "https://dev.mysql.com/doc/refman/8.4/en/replication-formats.html">Replication
 * Formats</a>
 */
final class MySqlChangeLog implements ChangeLog {

	/**
	 * How long what is in the log may take to become visible: the rest of the commit.
	 */
	private static final Duration COMMIT = Duration.ofSeconds(1);

	/**
	 * How often progress is shared with other instances, if no answer waits for it.
	 */
	private static final Duration SLOW = Duration.ofSeconds(1);

	private static final Duration POLL = Duration.ofMillis(50);

	private static final Duration LONGEST_PREPARED = Duration.ofSeconds(10);

	private static final long LAST_OFFSET = 0xFFFF_FFFFL;

	private static final Duration FAST = Duration.ofMillis(5);

	/**
	 * Numbers of clients, apart from those of replicas: a server ends the connection of a
	 * client when one of the same number comes.
	 */
	private static final long FIRST_CLIENT = 3_000_000_000L;

	private final FeedSpecification specification;

	private final MySqlServer server;

	private final String name;

	private final BinlogEnd end = new BinlogEnd();

	/**
	 * For all that no caller of a guarded method waits for.
	 */
	private final LogSession statements;

	private final LogSession marks;

	private final OwnLease lease;

	private volatile @Nullable FoundLog found;

	private volatile @Nullable FilePosition lost;

	MySqlChangeLog(FeedSpecification specification, MySqlServer server) {
		this.specification = specification;
		this.server = server;
		this.name = SlotName.of(specification.owner() + "/" + server.url().replaceFirst("[?].*", ""),
				specification.filter());
		this.lease = new OwnLease(this.name);
		this.statements = new LogSession(server::connect);
		this.marks = new LogSession(server::connect);
	}

	@Override
	public void check() {
		this.statements.execute((connection) -> {
			MySqlTable table = prepare(connection);
			describe(connection, this.end.read(connection));
			return table;
		});
	}

	private MySqlTable prepare(Connection connection) throws SQLException {
		MySqlRequirements requirements = MySqlRequirements.read(connection, this.specification);
		requirements.check(connection);
		MySqlTable table = MySqlTable.read(connection, this.specification);
		try {
			requirements.checkLogged(connection, table.schema(), this.end);
		}
		catch (SQLException ex) {
			throw denied(connection, ex.getErrorCode(), false, ex);
		}
		return table;
	}

	private SQLException denied(Connection connection, int error, boolean reading, Exception failure)
			throws SQLException {
		InvalidGuardException denied = MySqlRequirements.read(connection, this.specification).denied(error, reading);
		if (denied != null) {
			throw denied;
		}
		return (failure instanceof SQLException ex) ? ex : new SQLException(failure);
	}

	/**
	 * Complete a position with the creation time of its file, which only the log tells.
	 */
	private FilePosition describe(Connection connection, BinlogPlace place) throws SQLException {
		BinaryLogClient client = client(place, name(files(connection), place));
		client.setBlocking(false);
		AtomicLong created = new AtomicLong();
		AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
		client.registerEventListener((event) -> {
			EventHeader header = event.getHeader();
			if (header.getEventType() == EventType.FORMAT_DESCRIPTION) {
				created.set(header.getTimestamp() / 1000);
			}
		});
		client.registerLifecycleListener(new BinaryLogClient.AbstractLifecycleListener() {
			@Override
			public void onCommunicationFailure(BinaryLogClient client, Exception ex) {
				failure.set(ex);
			}
		});
		try {
			client.connect();
		}
		catch (IOException ex) {
			failure.set(ex);
		}
		if (created.get() == 0) {
			Exception reason = failure.get();
			throw denied(connection, (reason instanceof ServerException refused) ? refused.getErrorCode() : 0, true,
					(reason != null) ? reason : new IOException("The server sent no part of its log"));
		}
		return place.in(log(connection), created.get());
	}

	/**
	 * Return the name of the log.
	 */
	private String log(Connection connection) throws SQLException {
		return log(MySqlServer.identity(connection), connection);
	}

	private String log(String server, Connection connection) throws SQLException {
		return server + "/" + MySqlTable.fingerprint(connection, this.specification);
	}

	private BinaryLogClient client(BinlogPlace place, String fileName) {
		BinaryLogClient client = this.server.client();
		client.setBinlogFilename(fileName);
		client.setBinlogPosition(place.offset());
		client.setServerId(FIRST_CLIENT + Integer.toUnsignedLong(this.lease.name().hashCode()) % 1_000_000_000L);
		return client;
	}

	private static Map<String, Long> files(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("show binary logs")) {
			Map<String, Long> files = new LinkedHashMap<>();
			while (rows.next()) {
				files.put(rows.getString(1), rows.getLong(2));
			}
			return files;
		}
	}

	/**
	 * Return the name of a file, empty if it is gone or the place is behind its end.
	 */
	private static String name(Map<String, Long> files, BinlogPlace place) {
		return files.entrySet()
			.stream()
			.filter((file) -> BinlogPlace.number(file.getKey()) == place.file())
			.filter((file) -> place.offset() <= file.getValue())
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse("");
	}

	@Override
	public LogPosition begin() {
		FilePosition begun = this.statements.execute((connection) -> {
			prepare(connection);
			return describe(connection, this.end.read(connection));
		});
		pause(COMMIT);
		awaitPrepared();
		return begun;
	}

	/**
	 * Wait until the transactions are completed whose rows may be in the log before a
	 * load begins, but not yet in the table.
	 */
	private void awaitPrepared() {
		Set<String> waited = prepared().orElse(Set.of());
		long deadline = System.nanoTime() + LONGEST_PREPARED.toNanos();
		for (Set<String> left = waited; !left.isEmpty(); left = prepared().orElse(Set.of())) {
			if (Collections.disjoint(left, waited)) {
				break;
			}
			if (System.nanoTime() - deadline > 0) {
				throw new LogAccessException(new IOException("Transactions stay prepared, which would hide their rows"
						+ " when they are committed. Run: xa recover; and commit them or roll them back"));
			}
			pause(POLL);
		}
		if (!waited.isEmpty()) {
			pause(COMMIT);
		}
	}

	private Optional<Set<String>> prepared() {
		return this.statements.execute(PreparedTransactions::read);
	}

	private static void pause(Duration pause) {
		try {
			Thread.sleep(pause.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LogAccessException(ex);
		}
	}

	@Override
	public Optional<ChangeReader> follow(LogPosition reached) {
		String log = this.statements.execute(this::log);
		// after the name of the log, which is another one if the table changes from here
		MySqlTable table = this.statements.execute(this::prepare);
		Connection connection = null;
		MySqlReader reader = null;
		try {
			connection = this.server.connect();
			MySqlLease lease = MySqlLease.take(connection, this.end, this.lease.name());
			if (lease == null) {
				this.lease.taken(BinlogPlace.of(FilePosition.of(reached)), this.end.read(connection),
						System.nanoTime());
			}
			else {
				reader = open(connection, log, table, lease, FilePosition.of(reached));
			}
			return Optional.ofNullable(reader);
		}
		catch (SQLException | IOException ex) {
			throw new LogAccessException(ex);
		}
		finally {
			if (reader == null) {
				LogSession.close(connection);
			}
		}
	}

	private MySqlReader open(Connection connection, String log, MySqlTable table, MySqlLease lease,
			FilePosition reached) throws SQLException, IOException {
		if (isThere(connection, log, reached)) {
			MySqlReader reader = reader(connection, log, table, lease, reached);
			try {
				if (reached.isOfLogOf(reader.open(reached))) {
					return reader;
				}
			}
			catch (ServerException ex) {
				denied(connection, ex.getErrorCode(), true, ex);
			}
			reader.disconnect();
		}
		FilePosition end = describe(connection, this.end.read(connection));
		MySqlReader reader = reader(connection, log, table, lease, end);
		reader.open(end);
		return reader;
	}

	/**
	 * A client can't ask for what is behind the first 4 GB of a file.
	 */
	private boolean isThere(Connection connection, String log, FilePosition position) throws SQLException {
		FilePosition lost = this.lost;
		boolean readable = lost == null || !lost.isOfLogOf(position) || !lost.reaches(position);
		return readable && position.log().equals(log) && position.offset() <= LAST_OFFSET
				&& StringUtils.hasLength(name(files(connection), BinlogPlace.of(position)));
	}

	private MySqlReader reader(Connection connection, String log, MySqlTable table, MySqlLease lease,
			FilePosition start) throws SQLException {
		BinaryLogClient client = client(BinlogPlace.of(start), name(files(connection), BinlogPlace.of(start)));
		Duration pace = this.specification.longestWait().isZero() ? SLOW : FAST;
		MySqlReader reader = new MySqlReader(client, lease, pace, (position) -> this.lost = position);
		BinlogEvents events = new BinlogEvents(table, collations(connection), log,
				PreparedTransactions.read(connection).isPresent(), reader);
		client.setEventDeserializer(events.deserializer());
		client.registerEventListener(events);
		return reader;
	}

	/**
	 * Return the character set of each collation. In MariaDB one may have several ids.
	 */
	private static Map<Integer, String> collations(Connection connection) throws SQLException {
		Map<Integer, String> collations = new HashMap<>();
		try (Statement statement = connection.createStatement()) {
			collations(statement, "information_schema.collations", collations);
			collations(statement, "information_schema.collation_character_set_applicability", collations);
		}
		catch (SQLException ex) {
			if (collations.isEmpty()) {
				throw ex;
			}
		}
		return collations;
	}

	private static void collations(Statement statement, String table, Map<Integer, String> collations)
			throws SQLException {
		try (ResultSet rows = statement
			.executeQuery("select id, character_set_name from " + table + " where id is not null")) {
			while (rows.next()) {
				collations.put(rows.getInt(1), rows.getString(2));
			}
		}
	}

	@Override
	public LogPosition mark(LogPosition reached) {
		return this.marks.execute((connection) -> {
			BinlogPlace end = this.end.read(connection);
			FoundLog found = found(connection, end);
			if (isReset(found, end)) {
				throw new SQLException("The log is not the one that was followed");
			}
			// behind the end, so that rows before it are read as the table was until then
			return end.in(log(found.server(), connection), found.end().created());
		});
	}

	/**
	 * After {@code reset master} a log begins with its first file again, and may soon be
	 * as long as before, so that only the number of resets tells. The server counts a
	 * statement before it executes it.
	 */
	private static boolean isReset(FoundLog found, BinlogPlace end) throws SQLException {
		return end.file() == BinlogPlace.FIRST_FILE && !Objects.equals(found.resets(), resets(found.connection()));
	}

	/**
	 * Find out once for each connection what tells its log from others, and for each file
	 * when it was created.
	 */
	private FoundLog found(Connection connection, BinlogPlace end) throws SQLException {
		FoundLog found = this.found;
		if (found == null || found.connection() != connection) {
			String resets = resets(connection);
			found = new FoundLog(connection, MySqlServer.identity(connection), describe(connection, end), resets);
		}
		else if (found.end().file() != end.file()) {
			found = new FoundLog(connection, found.server(), describe(connection, end), found.resets());
		}
		this.found = found;
		return found;
	}

	private static @Nullable String resets(Connection connection) throws SQLException {
		return MySqlServer.status(connection, "Com_reset");
	}

	@Override
	public FeedStatus status(LogPosition reached) {
		FilePosition known = FilePosition.of(reached);
		BinlogPlace place = BinlogPlace.of(known);
		return this.statements.execute((connection) -> {
			Map<String, Long> files = files(connection);
			String log = log(connection);
			boolean there = known.equals(FilePosition.NONE)
					|| (known.log().equals(log) && StringUtils.hasLength(name(files, place)));
			long lag = files.entrySet()
				.stream()
				.mapToLong((file) -> place.behind(BinlogPlace.number(file.getKey()), file.getValue()))
				.sum();
			FilePosition released = there ? new FilePosition(log, 0)
					: new FilePosition(log, Long.MAX_VALUE, Long.MAX_VALUE, 0);
			return new FeedStatus(this.name, MySqlLease.holder(connection, this.lease.name()), released,
					known.equals(FilePosition.NONE) ? 0 : lag, 0);
		});
	}

	@Override
	public void close() {
		this.statements.close();
		this.marks.close();
	}

	/**
	 * The log as a connection found it.
	 */
	private record FoundLog(Connection connection, String server, FilePosition end, @Nullable String resets) {

	}

}
