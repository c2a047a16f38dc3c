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
 * One filter as this instance sees it: what it knows of the control record, asks, adds
 * to, and shows as its state; and its mirror, a copy of the bits in the memory of this
 * instance.
 * <p>
 * All of it meets in the {@code GenerationalFilter}. {@code LatestSnapshot} keeps what
 * was read last, a {@code FilterSnapshot} that lookups use for a while;
 * {@code LiveWriter} adds. {@code CallEvidence} gathers what calls show of the filter,
 * {@code Requirements} is what it has to show before it is believed, and the
 * {@code Standing} is computed of both and the record. {@code EffectiveMode} is what was
 * switched over what is configured, and {@code FillLevel} says how many keys there are.
 * {@code ObservedState} makes a state of these, and {@code PublishedState} tells its
 * changes. What outlives the loss of the record is {@code Remembered}.
 * <p>
 * {@code Mirrors} takes part in the protocol of mirrors for one filter: {@code OwnMirror}
 * copies the bits into a {@code Mirror} and follows the journal, {@code RemovedKeys} are
 * those that the bits still have, and {@code AcknowledgementTracker} waits for the
 * mirrors of other instances when this one adds keys.
 * <p>
 * Internal: its public types are public for the other packages of the guard only, and may
 * change in each version.
 */
@NullMarked
package io.github.bloomguard.instance;

import org.jspecify.annotations.NullMarked;
