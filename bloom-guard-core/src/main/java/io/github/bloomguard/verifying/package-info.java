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
 * Finds out whether absent answers are true, and decides what follows if one is not.
 * <p>
 * {@code Verification} compares answers with what there is. {@code VerifiedKeys} says
 * which keys are looked up, within the {@code QuestionRate}, and that callers who ask for
 * one key share what is found. {@code SourceLookUps} asks the sources in the background;
 * {@code GatheredKeys} makes one question of many keys, and {@code AbsenceQuestions} does
 * so for what calls found nothing for. {@code FloodWatch} and its {@code FloodMemory}
 * notice a flood and the keys that come again in it. {@code Findings} decides what
 * follows: a key is added, and the filter is believed less.
 * <p>
 * Internal: its public types are public for the other packages of the guard only, and may
 * change in each version.
 */
@NullMarked
package io.github.bloomguard.verifying;

import org.jspecify.annotations.NullMarked;
