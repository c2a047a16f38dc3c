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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.bloomguard.catchup.ChangeLog;
import io.github.bloomguard.catchup.ChangeLogs;
import io.github.bloomguard.catchup.FeedSpecification;
import io.github.bloomguard.library.Library;
import org.jspecify.annotations.Nullable;

/**
 * The change logs of PostgreSQL 14 and later.
 */
public final class PostgresLogs implements ChangeLogs {

	@Override
	public boolean support(String url) {
		return url.startsWith("jdbc:postgresql:");
	}

	@Override
	public @Nullable String fullName(Connection application, String table) throws SQLException {
		try (PreparedStatement query = application
			.prepareStatement("select quote_ident(n.nspname) || '.' || quote_ident(c.relname) from pg_class c"
					+ " join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass(?)")) {
			query.setString(1, table);
			try (ResultSet row = query.executeQuery()) {
				return row.next() ? row.getString(1) : null;
			}
		}
	}

	@Override
	public ChangeLog open(FeedSpecification specification, String url, Properties credentials) {
		Library.POSTGRESQL.require();
		return new PostgresChangeLog(specification, PostgresServer.of(specification, url, credentials));
	}

	@Override
	public boolean retain(String owner, Collection<String> filters, String url, Properties credentials) {
		Set<String> retained = filters.stream().map((filter) -> SlotName.of(owner, filter)).collect(Collectors.toSet());
		try (LogSession session = new LogSession(new PostgresServer(url, credentials)::connect)) {
			return session.execute((connection) -> {
				Map<String, Boolean> slots = slots(connection, SlotName.prefix(owner));
				slots.keySet().removeAll(retained);
				for (Map.Entry<String, Boolean> slot : slots.entrySet()) {
					if (!slot.getValue()) {
						PostgresChangeLog.drop(connection, slot.getKey());
					}
				}
				return !slots.containsValue(true);
			});
		}
	}

	private static Map<String, Boolean> slots(Connection connection, String prefix) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement("select slot_name, active from pg_replication_slots"
				+ " where starts_with(slot_name::text, ?) and database = current_database()")) {
			query.setString(1, prefix);
			Map<String, Boolean> slots = new LinkedHashMap<>();
			try (ResultSet rows = query.executeQuery()) {
				while (rows.next()) {
					slots.put(rows.getString(1), rows.getBoolean(2));
				}
			}
			return slots;
		}
	}

}
