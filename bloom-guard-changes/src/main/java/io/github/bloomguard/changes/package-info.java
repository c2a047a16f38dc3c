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

/**
 * The change logs of databases: {@link io.github.bloomguard.catchup.ChangeLogs} of
 * PostgreSQL, whose write-ahead log the server decodes ({@code pgoutput}), and of MySQL
 * and MariaDB, whose binary log is decoded here.
 * <p>
 * <b>The problem.</b> Rows come from programs that have never heard of the guard. Only
 * the log of the database has them all, and it goes on while tables are altered, servers
 * are replaced, and while it is not read.
 * <p>
 * <b>The structure.</b> {@code PostgresLogs} and {@code MySqlLogs} make the log of one
 * table: {@code PostgresChangeLog} and {@code MySqlChangeLog} say where it begins, who
 * may read and what a mark is. {@code PostgresReader} with {@code PgOutput}, and
 * {@code MySqlReader} with {@code BinlogEvents}, turn records into keys.
 * {@code PostgresTable} and {@code MySqlTable} are the fingerprint of what keys depend
 * on. {@code PostgresRequirements} and {@code MySqlRequirements} refuse a server that
 * can't be followed, with the statement to run. The package {@code catchup} claims what
 * has been read, and asks for barriers.
 * <p>
 * <b>What must hold.</b> What is claimed is in the filter; what is released was claimed.
 * A record that can't be read, another fingerprint, another server or timeline is a
 * <em>gap</em>: the filter is not believed until it was loaded again, and gaps that
 * repeat wait longer. Positions of different logs are never compared. A transaction's
 * rows count when others can see them, prepared ones when they are committed.
 * <p>
 * <b>What may be touched.</b> An event or a message that is new is a gap until it is
 * known to change no key; the tests with real servers, those of {@code .ci/servers} among
 * them, tell. A new kind of log is a {@code ChangeLogs} bean, of a module with such an
 * auto-configuration or of the application, and changes nothing here.
 */
@NullMarked
package io.github.bloomguard.changes;

import org.jspecify.annotations.NullMarked;
