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
 * Guards Spring's {@link org.springframework.data.redis.cache.RedisCacheWriter} so that a
 * Redis cache keeps its database alive: expirations are spread, null values are
 * short-lived and can't hide a new row, and a missing key is loaded once. Needs no
 * filter.
 * <p>
 * <b>The problem.</b> A reader that loads while a row is updated and evicted stores the
 * old row after the evict, for the whole time to live. Entries written together expire
 * together. All who miss a hot key load it. And a Redis that hangs holds each of them.
 * <p>
 * <b>The structure.</b> Writers that decorate each other:
 * {@code SelectiveRedisCacheWriter} leaves other caches alone,
 * {@code GuardedRedisCacheWriter} applies {@code CacheRules} ({@code EntryWrites},
 * {@code EntryRemovals}), {@code BoundedRedisCacheWriter} bounds each wait.
 * {@code CachedCall} knows which values a call has loaded, {@code LoadToken} whether one
 * may still be stored ({@code EntryScripts}), {@code TokenReturns} which token no load
 * needs any more, {@code Epoch} what a load has that is told no token,
 * {@code SingleFlight} who loads, {@code LoadChain} who must not wait,
 * {@code RepeatedEvictions} what is evicted again, {@code LateCommands} what goes on in
 * the background, {@code NullEntries} which null values an add clears. The package
 * {@code client} has what drivers of Redis differ in, {@code autoconfigure} properties
 * and wiring.
 * <p>
 * <b>What must hold.</b> What is read after an update has returned is never older than
 * it: a value is stored only under a token taken before its load, and shared only with
 * who came before, or after it was stored. A null value is stored only under a text that
 * the add will clear. Entries look as Spring writes them. A key that Redis loses costs a
 * load, never a promise.
 * <p>
 * <b>What may be touched.</b> Times to live and listeners freely. Order and number of
 * commands only with {@code StaleSetTests}, which walks through all orders and finds each
 * flaw that it plants, and with the page of internals about caches, which has the proof.
 */
@NullMarked
package io.github.bloomguard.cache;

import org.jspecify.annotations.NullMarked;
