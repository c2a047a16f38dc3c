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

/**
 * What calls have shown about the keys of one origin, whether the sources give them in
 * the form that the methods are called with, and all of them.
 *
 * @param absent how many different keys were not found that the filter called absent
 * @param found how many different keys were found that the filter let pass
 * @param complete whether that has been enough
 * @param empty whether the sources gave the active generation not a single key
 */
public record Proof(long absent, long found, boolean complete, boolean empty) {

	public static final Proof NONE = new Proof(0, 0, false, false);

}
