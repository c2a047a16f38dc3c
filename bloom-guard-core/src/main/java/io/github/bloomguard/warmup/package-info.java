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
 * Loads all keys of a filter into a new generation.
 * <p>
 * {@code WarmUp} decides when a generation is built in this instance, and what follows if
 * that fails ({@code RebuildPause}). {@code GenerationBuilder} takes the
 * {@code BuildLease} and goes through the steps of the protocol, in the order that the
 * memo of {@code generation} argues for. {@code SourceScan} reads the sources, and
 * {@code KeyPipeline} makes forms of what they give. {@code WarmUpBulkhead} and
 * {@code TurnQueue} say how many filters load at the same time, {@code WarmUpProgress}
 * how far one has come.
 * <p>
 * Internal: its public types are public for the other packages of the guard only, and may
 * change in each version.
 */
@NullMarked
package io.github.bloomguard.warmup;

import org.jspecify.annotations.NullMarked;
