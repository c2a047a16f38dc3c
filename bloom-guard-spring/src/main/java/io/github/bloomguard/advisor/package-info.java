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
 * Looks at the loads of cached methods that no filter guards, and advises on filters.
 * <p>
 * {@code ObservingPostProcessor} puts an {@code ObservingAdvisor} innermost into each
 * proxy that Spring's cache interceptor or the guard is in, so a call that a cache or a
 * filter answers does not reach it. For each load, {@code LoadObserver} gives the
 * {@code ObservedMethod}, which counts it and keeps no key: how many different ones there
 * were is what a {@code HyperLogLog} tells. {@code Suggestion} is what to configure.
 */
@NullMarked
package io.github.bloomguard.advisor;

import org.jspecify.annotations.NullMarked;
