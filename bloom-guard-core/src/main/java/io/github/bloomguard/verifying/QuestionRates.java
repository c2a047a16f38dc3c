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

package io.github.bloomguard.verifying;

import java.time.Duration;

/**
 * How many questions a second an instance asks at most to verify absent answers of one
 * filter, as it is now.
 *
 * @param newKeys questions for keys that come for the first time: {@code
 * verification.rate}, and in a flood half of it, or less if the source is slow
 * @param repeatedKeys questions for keys that come again: as many, and in a flood as many
 * as the source answers in its share of the time
 * @param questionTime how long the last question took
 */
public record QuestionRates(double newKeys, double repeatedKeys, Duration questionTime) {

}
