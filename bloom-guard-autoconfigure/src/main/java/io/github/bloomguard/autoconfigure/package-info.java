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
 * Auto-configuration of the guard: translates properties and beans into the builder of
 * the core, and shows what it does.
 * <p>
 * <b>The problem.</b> An application has one, several or no data source, client of Redis,
 * cache manager, mapping, and one of two lines of Spring Boot; it may start while Redis
 * is down; and a mistake in its configuration must not end as a row that is not found.
 * <p>
 * <b>The structure.</b> {@code BloomGuardAutoConfiguration} imports the parts of the
 * guard; modules of libraries, change logs and caches configure themselves after it.
 * {@code ConfiguredFilters} makes settings of {@code BloomGuardProperties},
 * {@code ConfiguredKeySources} finds the sources of each filter, {@code ChangeFeeds} the
 * logs, {@code FilterBackends} the backends. Checks at the start
 * ({@code UnknownProperties}, {@code KeyColumnsCheck}, {@code DatabaseCheck},
 * {@code FilterUseCheck}) end in {@code InvalidGuardFailureAnalyzer}. The package
 * {@code redis} has connections; {@code endpoint}, {@code health} and {@code metrics}
 * beside this one show filters.
 * <p>
 * <b>What must hold.</b> The starter takes nothing over: no bean, client, property or
 * order of the application changes. A start waits for no Redis and for no database longer
 * than its checks may. What can never be right stops the start, and says where it is set
 * and what to write instead.
 * <p>
 * <b>What may be touched.</b> A property is described in {@code BloomGuardProperties},
 * refused in {@code FilterSettings}, and shown in the reference. What is different in
 * another line of Spring Boot is a small type in {@code bloom-guard-spring-boot3} and one
 * here; nothing else may know the line.
 */
@NullMarked
package io.github.bloomguard.autoconfigure;

import org.jspecify.annotations.NullMarked;
