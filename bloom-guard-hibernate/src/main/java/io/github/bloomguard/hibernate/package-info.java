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
 * Filters of the entities of Hibernate: reading their keys, and adding those that it
 * inserts.
 * <p>
 * <b>The problem.</b> Rows come from every session of a persistence unit, also from those
 * that no bean knows, and no annotation tells of them. What is stored need not be what an
 * attribute has: converters, custom statements, tables shared by entities, triggers.
 * <p>
 * <b>The structure.</b> {@link io.github.bloomguard.hibernate.HibernateEntities} finds an
 * entity in a persistence unit and refuses what can't be loaded; {@code KeyOfRow} and
 * {@code KeyColumns} say which columns have its key, and {@code HibernateKeySource} reads
 * them. {@link io.github.bloomguard.hibernate.HibernateWrites} listens to what each unit
 * writes; {@code InsertedKeys} and {@code DeletedKeys} are those of one transaction.
 * {@code SharedTable} and {@code FollowedEntities} are about other entities that write
 * the same rows.
 * <p>
 * <b>What must hold.</b> A key is in the filter before the transaction of its row
 * commits. A source is believed only while the listeners of its own session factory are
 * in place. What a mapping, a trigger or a custom statement may change on the way is
 * asked again.
 * <p>
 * <b>What may be touched.</b> What differs between versions of Hibernate is a
 * {@link io.github.bloomguard.hibernate.HibernateVersion}, and nothing else knows it.
 */
@NullMarked
package io.github.bloomguard.hibernate;

import org.jspecify.annotations.NullMarked;
