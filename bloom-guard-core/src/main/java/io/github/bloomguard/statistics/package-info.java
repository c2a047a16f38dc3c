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
 * What the calls of a filter came to, counted by {@code FilterStatistics}, and told to
 * those who listen by the {@code ListenerChain}: one that fails or takes long hurts no
 * call.
 * <p>
 * Internal: its public types are public for the other packages of the guard only, and may
 * change in each version.
 */
@NullMarked
package io.github.bloomguard.statistics;

import org.jspecify.annotations.NullMarked;
