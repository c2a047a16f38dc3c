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
 * Filters of tables and of entities of MyBatis-Plus: reading keys through its table
 * information, and adding those that MyBatis inserts.
 * <p>
 * <b>The problem.</b> Rows are written by mappers, XML, generated statements, batches and
 * sessions that no bean has. What they have in common is MyBatis' executor, and the text
 * of a statement.
 * <p>
 * <b>The structure.</b> {@code MyBatisAdds} is a plugin of each factory's sessions. An
 * {@code ExecutedStatement} tells what the database is given in the end. A
 * {@code SqlStatement} is read once for each text: its {@code SqlTokens},
 * {@code SqlWrites} to which tables, {@code SqlValues} what of their columns.
 * {@code FollowedKey} with its {@code FollowedColumn}s are what is looked for,
 * {@code ColumnDefaults} is what an insert leaves out. {@code WrittenRows} keeps for a
 * session what a flush or commit will show. {@code MyBatisEntities} and
 * {@code EntityColumn} find the table and key of an entity.
 * <p>
 * <b>What must hold.</b> A key is added before the transaction of its row commits,
 * outside of one as soon as its statement has run. A statement that writes to a followed
 * table, and does not tell its keys for certain is never passed over: the filter is
 * loaded again before it is believed. What routines and triggers write, and what is
 * written under another name, is not seen here: the source tells that there are such ways
 * ({@code KeySource.unseenWriters}).
 * <p>
 * <b>What may be touched.</b> {@code SqlWrites} and {@code SqlValues} may learn forms of
 * statements that they understands for certain; all others stay untold. It is no parser
 * of SQL.
 */
@NullMarked
package io.github.bloomguard.mybatis;

import org.jspecify.annotations.NullMarked;
