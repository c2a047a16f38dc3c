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

package io.github.bloomguard.generation;

import org.jspecify.annotations.Nullable;

/**
 * What the control record says of one origin of the application that owns a filter.
 *
 * @param origin where the keys come from
 * @param used when an instance of it was seen last, in milliseconds of the server's
 * clock, 0 if none was
 * @param trust how far its filter is believed
 * @param terms what it tells readers, {@code null} if it tells nothing that this version
 * knows
 */
public record OwnerOrigin(String origin, long used, Trust trust, @Nullable OwnerTerms terms) {

}
