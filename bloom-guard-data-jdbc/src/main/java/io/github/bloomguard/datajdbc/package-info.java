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
 * Filters of the aggregates of Spring Data JDBC.
 * <p>
 * <b>The problem</b>: Spring Data JDBC tells callbacks and events of what its
 * repositories and templates save and delete, and nothing of what they do beside them.
 * <b>The structure</b>: {@link io.github.bloomguard.datajdbc.JdbcEntities} finds the
 * mapping and makes a source of keys; {@link io.github.bloomguard.datajdbc.JdbcAdds} adds
 * before the commit of what was saved; {@link io.github.bloomguard.datajdbc.JdbcRemoves}
 * removes after that of a deletion, if the row is gone. <b>What must hold</b>: a key is
 * in the filter before the transaction of its row commits. <b>May be touched</b>: what
 * differs between versions is a
 * {@link io.github.bloomguard.datajdbc.SpringDataJdbcVersion}.
 */
@NullMarked
package io.github.bloomguard.datajdbc;

import org.jspecify.annotations.NullMarked;
