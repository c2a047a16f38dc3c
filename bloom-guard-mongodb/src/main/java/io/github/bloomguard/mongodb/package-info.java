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
 * Filters of documents of Spring Data MongoDB: reading the keys of a collection, and
 * adding those that the client writes to it.
 * <p>
 * <b>The problem.</b> Templates, repositories and the driver's own methods write
 * documents, many without a transaction, so that a document can be seen as soon as it is
 * written; and an {@code ObjectId} is asked for by its text.
 * <p>
 * <b>The structure.</b> {@code MongoWrites} wraps the client that templates use;
 * {@code DocumentWrite} says what one call makes of the key ({@code Documents},
 * {@code WriteResult}), {@code IndirectWrites} what commands and stages of pipelines
 * write to collections that only their text names. {@code MongoEntities} finds the
 * collection and {@code DocumentKey} of an entity, {@code MongoKeySource} reads all of
 * them, and {@code ObjectIdConverter} gives ids one form.
 * <p>
 * <b>What must hold.</b> A key is added before its document is written. After a write
 * that does not tell its keys, the guard loads the filter again. Keys are read from the
 * primary.
 * <p>
 * <b>What may be touched.</b> A method of the driver that is new passes untold until
 * {@code DocumentWrite} knows it.
 */
@NullMarked
package io.github.bloomguard.mongodb;

import org.jspecify.annotations.NullMarked;
