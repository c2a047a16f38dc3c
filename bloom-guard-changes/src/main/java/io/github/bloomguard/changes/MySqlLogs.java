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
import java.sql.SQLException;
import java.util.Collection;
import java.util.Properties;

import io.github.bloomguard.catchup.ChangeLog;
import io.github.bloomguard.catchup.ChangeLogs;
import io.github.bloomguard.catchup.FeedSpecification;
import org.jspecify.annotations.Nullable;

/**
 * The change logs of MySQL 8.0.1 and MariaDB 10.5 and later: their binary logs in ROW
 * format. Needs {@code com.zendesk:mysql-binlog-connector-java}.
 */
public final class MySqlLogs implements ChangeLogs {

	@Override
	public boolean support(String url) {
		return url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:");
	}

	@Override
	public @Nullable String fullName(Connection application, String table) throws SQLException {
		return MySqlTable.fullName(application, table);
	}

	@Override
	public ChangeLog open(FeedSpecification specification, String url, Properties credentials) {
		return new MySqlChangeLog(specification, MySqlServer.of(specification.filter(), url, credentials));
	}

	/**
	 * Does nothing: a server keeps its log for as long as it is configured to.
	 */
	@Override
	public boolean retain(String owner, Collection<String> filters, String url, Properties credentials) {
		return true;
	}

}
