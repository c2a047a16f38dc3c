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
 * Keys that are in columns of a database: reading all of them, asking for one, and how
 * the database compares them.
 * <p>
 * <b>The problem.</b> A filter compares bytes, a database does not: {@code 'a'} may equal
 * {@code 'A'}, a number a text, and one column may show one caller what it hides from
 * another. And a load of a hundred million rows must neither fill the memory nor hold a
 * connection that callers wait for.
 * <p>
 * <b>The structure.</b> {@code JdbcSources} makes what is configured: a
 * {@code JdbcKeySource} reads a query, a {@code TableKeySource} a table. Both are a
 * {@code ColumnKeySource}, which answers for its columns: {@code KeyType} which keys find
 * a row at all, {@code TextComparison} which texts are equal, {@code RowLookup} whether
 * one key is there. {@code JdbcCursor} streams, {@code JdbcKeyRanges} divides.
 * {@code DatabaseIdentity}, {@code RowSecurity}, {@code RoutingDataSources} and
 * {@code SchemaHistory} say whether this is the database that callers see. The package
 * {@code catchup} has what all change logs share.
 * <p>
 * <b>What must hold.</b> Equality is found out from the database by asking it, never
 * derived from names of collations; a form may only join more keys than the database
 * calls equal, and what is uncertain is never absent. A question leaves no transaction
 * open and takes no connection that a caller waits for. The text of a query and keys are
 * in no log.
 * <p>
 * <b>What may be touched.</b> A new type of column is a line in {@code KeyType} and in
 * the matrix of its tests, which run on every database there is. {@code SqlClient} and
 * {@code QuerySources} are all that R2DBC shares.
 */
@NullMarked
package io.github.bloomguard.jdbc;

import org.jspecify.annotations.NullMarked;
