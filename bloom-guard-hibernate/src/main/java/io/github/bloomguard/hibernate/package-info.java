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
 * Filters of the entities of Hibernate.
 * <p>
 * <b>The problem</b>: rows come from every session of a persistence unit, also from those
 * that no bean knows, and nobody annotates them. <b>The structure</b>:
 * {@link io.github.bloomguard.hibernate.HibernateEntities} finds the mapping, which gives
 * the queries of a source of keys; {@link io.github.bloomguard.hibernate.HibernateWrites}
 * listens to what each unit inserts, updates and deletes, and one transaction's keys are
 * its {@code InsertedKeys} and {@code DeletedKeys}. <b>What must hold</b>: a key is in
 * the filter before the transaction of its row commits; a source is believed only while
 * the listeners of its own session factory are in place; what a mapping, a trigger or a
 * custom statement may have changed on the way is asked again. <b>May be touched</b>:
 * what differs between versions of Hibernate is a
 * {@link io.github.bloomguard.hibernate.HibernateVersion}, and nothing else knows it.
 */
@NullMarked
package io.github.bloomguard.hibernate;

import org.jspecify.annotations.NullMarked;
