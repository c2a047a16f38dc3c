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
 * The replication protocol of a filter. A filter is a <em>control record</em>, an <em>add
 * journal</em> and <em>generations</em> of bits; all of them are in one place that
 * executes each step atomically ({@link io.github.bloomguard.generation.ControlStore}).
 * <p>
 * <b>Adding is write-ahead logging.</b> An add appends its keys to the journal and sets
 * the bits of all live generations before the row is committed. A builder scans the
 * database (a fuzzy snapshot), makes its generation live, and replays the journal from
 * <em>start - longest transaction - longest add</em>, so snapshot and log overlap, as in
 * ARIES (Mohan et al., 1992). Setting bits is idempotent and commutative, so replay needs
 * no order.
 * <p>
 * <b>An add is one round trip.</b> From its beginning, by the clock of its JVM, to the
 * commit at most the longest transaction may pass; then a builder replays the key, or,
 * after a loss of the journal, has waited for as long and scans the row. Only an add that
 * was slow looks at the record again, and counts from there ({@code LiveWriter}).
 * <p>
 * <b>The record is one value.</b> What a step of a builder makes of it is decided here
 * ({@code RecordState}), for Redis, memory and the walks alike; a store swaps it if it is
 * unchanged, and refuses a form that it does not know.
 * <p>
 * <b>Building is fenced.</b> One builder holds a lease (Gray and Cheriton, 1989)
 * ({@code BuildLease}) whose token is the fencing token of each of its steps; a builder
 * that was paused past its lease changes nothing.
 * <p>
 * <b>Reading is under a lease, too.</b> An instance caches the control record
 * ({@code FilterSnapshot}) and answers by it for
 * {@link io.github.bloomguard.generation.ControlRecord#LEASE}. The one that invalidates
 * it waits until all such leases have expired. Each change raises the record's
 * <em>epoch</em>, a hybrid logical clock: at least the server's time, and never smaller
 * than before, across the loss of the record.
 * <p>
 * <b>A mirror is a replica.</b> It copies the bits, then follows the journal, and answers
 * only under its lease. An add returns when every mirror has acknowledged its keys, or
 * its lease has expired and was revoked ({@code AcknowledgementTracker}).
 * <p>
 * The invariants, each with the test that fails without it. The walks of
 * {@code ProtocolInterleavingTests} execute all interleavings over these classes, and
 * find each {@code Flaw} that breaks an invariant.
 * <ul>
 * <li>I1: a generation answers only while its seal is intact ({@code FilterLossTests},
 * {@code NO_SEAL}).</li>
 * <li>I2: every key whose row may be visible is in every live generation
 * ({@code ADD_AFTER_COMMIT}, {@code NO_EPOCH_CHECK}, {@code OLD_KEYS},
 * {@code AGE_FROM_THE_END}, {@code SLOW_ADD_UNCONFIRMED}).</li>
 * <li>I3: a generation becomes active only when the scan and the replay are complete
 * ({@code NO_JOURNAL_REPLAY}, {@code REPLAY_FROM_THE_SCAN}, {@code REPLAY_BEFORE_LIVE},
 * {@code REPLAY_WITHOUT_THE_ADD}, {@code SCANNED_TOO_EARLY},
 * {@code SEALED_WITHOUT_CHECK}).</li>
 * <li>I4: no reader asks a generation that adds do not know
 * ({@code DROPPED_BEFORE_DELETED}, {@code NO_LEASE}, {@code LEASE_NOT_ENDED}).</li>
 * <li>I5: a mirror answers only if it has every key whose add has returned
 * ({@code RENEWED_WITHOUT_THE_JOURNAL}, {@code ACKNOWLEDGED_WITHOUT_KEYS},
 * {@code ACK_TIMEOUT_BELOW_LEASE}, {@code ACK_TIMEOUT_FROM_SENDING},
 * {@code POSITION_AFTER_THE_COPY}, {@code COPY_WITHOUT_THE_ADD},
 * {@code REVOKED_AFTER_RENEWAL}, {@code REVOKED_AT_ONCE},
 * {@code FAILOVER_UNNOTICED}).</li>
 * <li>I6: only the journal orders a removal and an add of the same key
 * ({@code REMOVED_DESPITE_ADD}, {@code REMOVED_IN_ANY_ORDER}, {@code ORDER_UNREAD}).</li>
 * <li>I7: what was not found is remembered only if no add can have made it exist
 * ({@code SENTINEL_DESPITE_RECENT_ADD}, {@code RECENT_ADDS_NOT_NOTED},
 * {@code SOURCE_NOT_ASKED}).</li>
 * <li>I8: a generation in shards counts as written, sealed or gone only with all of them
 * ({@code ONE_SHARD_DELETED}, {@code SHARDS_NOT_WRITTEN}).</li>
 * </ul>
 *
 * @see <a href="https://doi.org/10.1145/74850.74870">Gray and Cheriton: Leases, 1989</a>
 * @see <a href="https://doi.org/10.1145/128765.128770">Mohan et al.: ARIES, 1992</a>
 */
@NullMarked
package io.github.bloomguard.generation;

import org.jspecify.annotations.NullMarked;
