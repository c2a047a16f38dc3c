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
 * Puts filters together, and looks after them.
 * <p>
 * The wiring of Spring Boot, or {@code BloomGuardBuilder} by hand, gives a
 * {@code GuardEnvironment} and settings to a {@code FilterBuilder}, or to a
 * {@code ReaderBuilder} for the filter of another application. It makes a
 * {@code ManagedFilter}. {@code FilterGuardFactory} makes the part of it that calls and
 * writers see: {@code FilterGuard} asks {@code deciding} and {@code verifying}, and
 * leaves writing to {@code adding}. {@code FilterSupervisor} refreshes all filters and
 * rebuilds them by a {@code RebuildPolicy}. {@code DefaultBloomGuard} is what
 * applications call.
 * <p>
 * Nothing in the other packages of the core knows this one.
 * <p>
 * Users need {@code BloomGuardBuilder} and {@code RunningBloomGuard}. The others are
 * internal: they are public for the other packages of the guard only, and may change in
 * each version.
 */
@NullMarked
package io.github.bloomguard.guard;

import org.jspecify.annotations.NullMarked;
