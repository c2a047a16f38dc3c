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
 * The guard itself: filter first, then sentinel, then the method. Internal, but for
 * {@code BloomGuardBuilder} and {@code RunningBloomGuard}.
 * <p>
 * <b>A call</b> sees a {@code FilterGuard}. {@code KeyDecisions} decides about its key,
 * or {@code ManyKeys}, by what {@code FilterLookup} and {@code ScopedSentinels} are told;
 * {@code LoadLimit} holds back who goes on to load. <b>An add</b> comes through
 * {@code FilterWrites} to {@code KeyWriter}, within a transaction through its
 * {@code KeysInTransaction}, and on to {@code AddedKeysListeners}; {@code KeyRemover}
 * takes keys out. <b>Whether absent is true</b>, {@code Verification} asks: it draws
 * answers, {@code SourceLookUps} asks the sources, whose {@code SourceAnswers} it shares
 * with the others, and {@code Findings} concludes.
 * <p>
 * {@code BloomGuardBuilder}, or the wiring of Spring Boot, gives a
 * {@code GuardEnvironment} and settings to a {@code FilterBuilder}, which makes a
 * {@code ManagedFilter} of {@code FilterSources} and their {@code SourceOrigin}.
 * {@code FilterSupervisor} looks after all of them, with a {@code RebuildPolicy}.
 * {@code FilterStatistics} counts for those who listen.
 */
@NullMarked
package io.github.bloomguard.guard;

import org.jspecify.annotations.NullMarked;
