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

package io.github.bloomguard.backend;

import java.time.Duration;

import io.github.bloomguard.generation.Origin;

/**
 * What a backend has to know of one filter.
 *
 * @param filter the name of the filter
 * @param origin where its keys come from
 * @param longestTransaction the longest time between adding a key and committing its row
 * @param journalRetention how long added keys are kept in the journal while nothing is
 * built
 * @param addedRetention how long a key counts as added lately, longer than any load
 * @param addReplicas how many replicas must have an added key before adding it succeeds
 * @since 1.0.0
 */
public record BackendSettings(String filter, Origin origin, Duration longestTransaction, Duration journalRetention,
		Duration addedRetention, int addReplicas) {

}
