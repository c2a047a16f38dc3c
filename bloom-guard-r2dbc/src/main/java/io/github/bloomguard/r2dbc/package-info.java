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
 * Tables and queries that are read through R2DBC, where there is no {@code DataSource}.
 * <p>
 * <b>The problem.</b> A reactive application has no JDBC driver, and a database compares
 * keys for it as for others.
 * <p>
 * <b>The structure.</b> {@code R2dbcKeySource} reads a query, {@code R2dbcTables} finds a
 * table, {@code PostgresColumns} describes columns as the driver of JDBC would, and
 * {@code R2dbcDatabase} asks, for a time at most: all questions about texts are those of
 * {@code jdbc}, through its {@code SqlClient}.
 * <p>
 * <b>What must hold.</b> What {@code jdbc} promises of columns and texts. No thread of
 * Reactor is blocked: a load and a look-up have threads of the guard.
 * <p>
 * <b>What may be touched.</b> Another database is another description of columns and
 * tables; until there is one, it is refused at the start.
 */
@NullMarked
package io.github.bloomguard.r2dbc;

import org.jspecify.annotations.NullMarked;
