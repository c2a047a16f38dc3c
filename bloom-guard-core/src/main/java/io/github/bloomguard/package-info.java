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
 * API for applications, the {@link io.github.bloomguard.BloomGuard guard}, its answers,
 * its listeners and its exceptions; below it, the heart of the guard.
 * <p>
 * <b>The problem.</b> Random keys miss each cache and reach the database. A filter of all
 * keys that exist answers them, and must never call an existing row absent: not while it
 * is loaded, after it was evicted, flushed or replaced, not while any program inserts
 * rows, and not because of an error of ours.
 * <p>
 * <b>The structure.</b> From the outside in: {@code guard} puts a filter together and
 * looks after it. {@code deciding} decides what a call is answered with,
 * {@code verifying} finds out whether that was true, {@code adding} brings keys of rows
 * in and takes them out. {@code instance} is the filter as this JVM sees it, with its
 * mirror; {@code generation} is the protocol that all instances follow, whose memo has
 * the invariants; {@code filter} is where bits are kept, and the one form of a key.
 * {@code warmup} loads keys, {@code source} asks where they come from, {@code feed} knows
 * of rows that others write, and {@code sentinel} of keys that passed in vain.
 * {@code call} is what interceptors, caches and entities see of all this, {@code backend}
 * what a kind of server offers; filters in memory are one. {@code statistics} counts.
 * Everything but this package is internal: its types are public for each other only.
 * <p>
 * <b>What must hold.</b> Three answers: {@code ABSENT} only from bits that are sealed and
 * intact, decided with the bits that were read, all else is {@code UNKNOWN}, and the call
 * goes through. Each absent answer may be looked up at its source, and what was wrong is
 * added and told. A key is in every live generation and mirror before its row can be
 * seen. No wait without a deadline, no lock across I/O on the way of a call.
 * <p>
 * <b>What may be touched.</b> What is in {@code deciding} and {@code statistics} freely,
 * with its tests. {@code RecordState}, the writers and the trust of {@code instance} only
 * with the walks ({@code -Pproofs}). The stored form has a version, and the one before
 * must read it as unknown. Arrows and sizes are held by tests.
 */
@NullMarked
package io.github.bloomguard;

import org.jspecify.annotations.NullMarked;
