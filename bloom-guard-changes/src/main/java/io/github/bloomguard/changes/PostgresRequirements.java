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

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.FeedSpecification;

/**
 * What a server must allow to be followed. Each refusal has the statement to run.
 *
 * @param slots how many slots there may be beside those of others
 */
record PostgresRequirements(int version, String walLevel, String user, boolean replication, int slots,
		boolean standby) {

	private static final int OLDEST = 140000;

	private static final String QUERY = """
			select current_setting('server_version_num')::int, current_setting('wal_level'), current_user,
			 (select rolreplication or rolsuper from pg_roles where rolname = current_user)
			  or exists (select from pg_roles where rolname in ('rds_replication', 'rds_superuser')
			   and pg_has_role(current_user, oid, 'member')),
			 current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots where slot_name <> ?),
			 pg_is_in_recovery()""";

	static PostgresRequirements read(Connection connection, String slot) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement(QUERY)) {
			query.setString(1, slot);
			ResultSet row = query.executeQuery();
			row.next();
			return new PostgresRequirements(row.getInt(1), row.getString(2), row.getString(3), row.getBoolean(4),
					row.getInt(5), row.getBoolean(6));
		}
	}

	void check(FeedSpecification specification) {
		String problem = specification.property("enabled") + " is true, but ";
		if (this.version < OLDEST) {
			throw new InvalidGuardException(problem + "the server is PostgreSQL " + this.version / 10000,
					"Use PostgreSQL 14 or later, or set catch-up.query instead");
		}
		if (this.standby) {
			throw new InvalidGuardException(problem + "the server is a standby, which writes no log",
					"Connect the data source of the filter to the primary");
		}
		if (!this.walLevel.equals("logical")) {
			throw new InvalidGuardException(problem + "wal_level of the server is '" + this.walLevel + "'",
					"Run: alter system set wal_level = logical; and restart the server");
		}
		if (!this.replication) {
			throw new InvalidGuardException(problem + "the user '" + this.user + "' may not follow the log",
					"Run: alter role \"" + this.user + "\" replication; (Amazon RDS: grant rds_replication to \""
							+ this.user + "\";)");
		}
		if (this.slots <= 0) {
			throw new InvalidGuardException(problem + "all replication slots of the server are in use",
					"Drop those that are not read (select slot_name from pg_replication_slots where not active;), or"
							+ " run: alter system set max_replication_slots = 20; and restart the server");
		}
	}

}
