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

package io.github.bloomguard.catchup;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far this instance has caught up with rows that others write.
 *
 * @param mark the checkpoint after the last run
 * @param added keys added since the application started, repeated ones included
 */
public record CatchUpProgress(@Nullable String mark, @Nullable Instant lastRun, long added, @Nullable String error) {

	static final CatchUpProgress NOTHING = new CatchUpProgress(null, null, 0, null);

}
