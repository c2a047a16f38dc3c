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
 * What filters of entities have in common, whatever maps them: which values are their
 * keys, where a table has them, and what is refused.
 * <p>
 * <b>The problem.</b> Each library maps classes to rows in its own way. A filter names a
 * class, and needs its keys, their columns and the database.
 * <p>
 * <b>The structure.</b> {@code EntityKeys} is what a filter names, {@code MappedEntities}
 * what a library answers: a source of these keys, and {@code EntityRows}, the columns
 * that a change log has. The wiring and the module of a library meet in beans: it gives
 * {@code ConfiguredRows}, they {@code EntityMappings}.
 * <p>
 * <b>What must hold.</b> A class is refused whose keys could differ from those that
 * callers ask for, with the property and a remedy. Nothing is asked on the connection
 * that has written.
 * <p>
 * <b>What may be touched.</b> A new library is a module of its own, and changes no other:
 * a {@code MappedEntities}, what adds the keys of its rows, an auto-configuration after
 * that of the guard with a bean of {@code EntityMappings}, which its test slice imports,
 * too, and an {@code EntityLibrary} for who forgets the starter.
 */
@NullMarked
package io.github.bloomguard.entity;

import org.jspecify.annotations.NullMarked;
