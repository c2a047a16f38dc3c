package io.github.bloomguard.warmup;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads keys with a SQL query, never all at once. A query with several columns gives
 * composite keys.
 *
 * @since 0.1.0
 */
public final class JdbcKeySource implements KeySource {

	private final String filter;

	private final DataSource dataSource;

	private final String query;

	private final @Nullable String countQuery;

	private final int fetchSize;

	/**
	 * Create a source.
	 * @param filter the name of the filter
	 * @param dataSource the database
	 * @param query gives the keys
	 * @param countQuery gives the number of keys, for the progress; {@code null} for
	 * unknown
	 * @param fetchSize how many rows are fetched at a time
	 */
	public JdbcKeySource(String filter, DataSource dataSource, String query, @Nullable String countQuery,
			int fetchSize) {
		this.filter = filter;
		this.dataSource = dataSource;
		this.query = query;
		this.countQuery = countQuery;
		this.fetchSize = fetchSize;
	}

	@Override
	public String filter() {
		return this.filter;
	}

	@Override
	public OptionalLong count() {
		if (this.countQuery == null) {
			return OptionalLong.empty();
		}
		Long count = new JdbcTemplate(this.dataSource).queryForObject(this.countQuery, Long.class);
		return (count != null) ? OptionalLong.of(count) : OptionalLong.empty();
	}

	@Override
	@SuppressWarnings("NullAway") // rows may be null, which RowMapper says by its type
									// parameter only
	public Stream<?> keys() {
		return new JdbcCursor(this.filter, this.dataSource, this.fetchSize)
			.stream((template) -> template.queryForStream(this.query, (row, number) -> key(JdbcCursor.values(row))));
	}

	private static @Nullable Object key(List<? extends @Nullable Object> values) {
		return (values.size() == 1) ? values.get(0) : values;
	}

}
