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

package io.github.bloomguard.instance;

import java.time.Instant;

import io.github.bloomguard.FilterState;
import org.jspecify.annotations.Nullable;

/**
 * How a filter came into the state that it is in.
 *
 * @param since when this instance noticed it
 * @param reason why, in words for an operator, {@code null} if there is nothing to say
 */
public record StateChange(FilterState state, Instant since, @Nullable String reason) {

}
