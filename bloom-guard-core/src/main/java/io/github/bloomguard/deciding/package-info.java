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
 * Decides what becomes of a call, before its method is called.
 * <p>
 * {@code KeyDecisions} takes the snapshot of the filter once, asks for the key by
 * {@code FilterLookup}, and decides by the standing in the snapshot; {@code ManyKeys} and
 * {@code PassedKeys} are what it needs for calls with several keys.
 * {@code ScopedSentinels} remember keys that passed the filter in vain, under a
 * {@code SentinelName}. {@code LoadLimit} holds calls back that go on to load while the
 * filter can't answer. {@code CallbackExecutor} hands over what follows to threads that
 * may wait.
 * <p>
 * Internal: its public types are public for the other packages of the guard only, and may
 * change in each version.
 */
@NullMarked
package io.github.bloomguard.deciding;

import org.jspecify.annotations.NullMarked;
