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
