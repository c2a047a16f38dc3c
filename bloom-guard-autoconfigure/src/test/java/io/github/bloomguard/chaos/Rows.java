package io.github.bloomguard.chaos;

import java.util.stream.Stream;

import io.github.bloomguard.KeySource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Gives the keys of all rows.
 */
final class Rows implements KeySource {

	private final JdbcTemplate jdbc;

	private final String version;

	private final Runnable beforeRead;

	Rows(JdbcTemplate jdbc, String version, Runnable beforeRead) {
		this.jdbc = jdbc;
		this.version = version;
		this.beforeRead = beforeRead;
	}

	@Override
	public String filter() {
		return "products";
	}

	@Override
	public String fingerprint() {
		return this.version;
	}

	@Override
	public Stream<?> keys() {
		this.beforeRead.run();
		return this.jdbc.queryForStream("select id from product union all select id from turnover",
				(row, number) -> Shapes.written(row.getLong(1)));
	}

}
