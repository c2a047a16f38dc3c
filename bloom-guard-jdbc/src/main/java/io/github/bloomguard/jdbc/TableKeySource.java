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

package io.github.bloomguard.jdbc;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of all rows of a table, with a query that is written as soon as the
 * database tells where the table is, and which columns its key has.
 */
public class TableKeySource extends JdbcKeySource {

	private final KeyTable table;

	private final Supplier<Optional<String>> doubt;

	/**
	 * @param reader reads the rows of the table that the application finds
	 * @param partitions how many ranges of whole numbers are read at the same time, each
	 * by a connection of its own; {@code null} for as many as suit the database, if they
	 * have an index
	 * @param doubt says why new rows may be missing, if they may
	 */
	public TableKeySource(KeyTable table, DataSource reader, int fetchSize, @Nullable Integer partitions,
			RowSecurity security, SpareConnections spare, Supplier<Optional<String>> doubt) {
		super(table.filter(), reader, () -> divided(table, partitions), null, fetchSize, security, spare, null);
		this.table = table;
		this.doubt = doubt;
	}

	private static JdbcKeyRanges divided(KeyTable table, @Nullable Integer partitions) {
		KeyTable.Found found = table.find();
		return JdbcKeyRanges.by(found.quoted(found.keyColumns().get(0)), table.filter(), found.query(),
				(partitions != null || found.isIndexed()) ? partitions : Integer.valueOf(1));
	}

	@Override
	public String fingerprint() {
		return this.table.toString();
	}

	/**
	 * Another table of the name, or with another key, is another database.
	 */
	@Override
	public String database() {
		String query = this.table.findAgain().query();
		return super.database() + " " + query;
	}

	@Override
	public Optional<String> doubt() {
		return this.doubt.get();
	}

	@Override
	protected List<String> tables() {
		return List.of(this.table.name());
	}

	@Override
	protected String property() {
		return "bloom-guard.filters." + filter() + ".table";
	}

}
