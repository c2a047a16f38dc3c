package io.github.bloomguard.warmup;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.util.StringUtils;

/**
 * Reads rows through a cursor: in one read-only transaction, because PostgreSQL reads all
 * rows into memory otherwise, and with MySQL's own sign for streaming.
 */
final class JdbcCursor {

	private final String filter;

	private final DataSource dataSource;

	private final int fetchSize;

	JdbcCursor(String filter, DataSource dataSource, int fetchSize) {
		this.filter = filter;
		this.dataSource = dataSource;
		this.fetchSize = fetchSize;
	}

	/**
	 * Run a query.
	 * @param <T> the type of what is made of the rows
	 * @param query runs it with the template that it is given
	 * @return the stream that the query gave, which gives the connection back when it is
	 * closed
	 */
	<T extends @Nullable Object> Stream<T> stream(Function<JdbcTemplate, Stream<T>> query) {
		Connection connection = connect();
		try {
			JdbcTemplate template = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			template.setFetchSize(isMySql(connection) ? Integer.MIN_VALUE : this.fetchSize);
			return query.apply(template).onClose(() -> close(connection));
		}
		catch (RuntimeException | SQLException ex) {
			close(connection);
			throw (ex instanceof RuntimeException unchecked) ? unchecked : new IllegalStateException(ex);
		}
	}

	private Connection connect() {
		Connection connection = null;
		try {
			connection = this.dataSource.getConnection();
			connection.setAutoCommit(false);
			connection.setReadOnly(true);
			return connection;
		}
		catch (SQLException ex) {
			JdbcUtils.closeConnection(connection);
			throw new CannotGetJdbcConnectionException("No connection to read the keys of '" + this.filter + "'", ex);
		}
	}

	private static void close(Connection connection) {
		try {
			connection.rollback();
			connection.setReadOnly(false);
			connection.setAutoCommit(true);
		}
		catch (SQLException ex) {
			// the pool finds out that the connection is broken
		}
		finally {
			JdbcUtils.closeConnection(connection);
		}
	}

	private static boolean isMySql(Connection connection) throws SQLException {
		return connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT).equals("mysql");
	}

	/**
	 * Return the values of a row as the types that methods use for them: dates and times
	 * as those of {@code java.time}, text of a fixed length without the blanks that fill
	 * it up and that databases do not compare.
	 */
	static List<@Nullable Object> values(ResultSet row) throws SQLException {
		ResultSetMetaData columns = row.getMetaData();
		List<@Nullable Object> values = new ArrayList<>(columns.getColumnCount());
		for (int column = 1; column <= columns.getColumnCount(); column++) {
			values.add(value(row, columns, column));
		}
		return values;
	}

	private static @Nullable Object value(ResultSet row, ResultSetMetaData columns, int column) throws SQLException {
		return switch (columns.getColumnType(column)) {
			case Types.CHAR, Types.NCHAR -> text(row.getString(column));
			case Types.DATE -> row.getObject(column, LocalDate.class);
			case Types.TIME -> "timetz".equals(columns.getColumnTypeName(column))
					? row.getObject(column, OffsetTime.class) : row.getObject(column, LocalTime.class);
			case Types.TIME_WITH_TIMEZONE -> row.getObject(column, OffsetTime.class);
			case Types.TIMESTAMP_WITH_TIMEZONE -> row.getObject(column, OffsetDateTime.class);
			case Types.TIMESTAMP -> "timestamptz".equals(columns.getColumnTypeName(column))
					? row.getObject(column, OffsetDateTime.class) : row.getObject(column, LocalDateTime.class);
			default -> row.getObject(column);
		};
	}

	private static @Nullable String text(@Nullable String text) {
		return (text != null) ? StringUtils.trimTrailingCharacter(text, ' ') : null;
	}

}
