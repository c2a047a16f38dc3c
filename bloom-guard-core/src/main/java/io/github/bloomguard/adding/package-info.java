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
 * Brings keys of rows into a filter, and takes them out.
 * <p>
 * An add comes through {@code FilterWrites} to {@code KeyWriter}, within a transaction
 * through its {@code KeysInTransaction}, which looks at it again before and after the
 * commit. It ends with the {@code AddedKeysListeners}, which forget that the keys were
 * absent. {@code KeyRemover} takes keys out after the commit that has deleted their rows.
 * <p>
 * An add has succeeded only if the keys are in all live generations and mirrors before
 * the row can be seen, and what has succeeded never fails for a lesser reason.
 * <p>
 * Internal: its public types are public for the other packages of the guard only, and may
 * change in each version.
 */
@NullMarked
package io.github.bloomguard.adding;

import org.jspecify.annotations.NullMarked;
