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
 * Filters of the aggregates of Spring Data JDBC: reading their keys, and adding those
 * that it saves.
 * <p>
 * <b>The problem.</b> Spring Data JDBC tells callbacks and events what its repositories
 * and templates save and delete, once the statement has run, and nothing of what is done
 * beside them.
 * <p>
 * <b>The structure.</b> {@link io.github.bloomguard.datajdbc.JdbcEntities} finds the
 * aggregate, {@code KeyProperty} its key, and {@code JdbcEntityKeySource} reads all of
 * them. {@link io.github.bloomguard.datajdbc.JdbcAdds} adds what was saved, and
 * {@code JdbcRemoves} removes after the commit of a deletion, if the database has no such
 * row any more.
 * <p>
 * <b>What must hold.</b> A key is in the filter before the transaction of its row
 * commits.
 * <p>
 * <b>What may be touched.</b> What differs between versions is a
 * {@link io.github.bloomguard.datajdbc.SpringDataJdbcVersion}, and nothing else knows it.
 */
@NullMarked
package io.github.bloomguard.datajdbc;

import org.jspecify.annotations.NullMarked;
