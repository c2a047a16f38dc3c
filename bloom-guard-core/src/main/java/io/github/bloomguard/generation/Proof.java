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
 * What calls have shown about the keys of one origin. It outlives rebuilds, which do not
 * change whether the sources give keys in the form that the methods are called with.
 *
 * @param calls how many different keys were not found that the filter called absent
 * @param found how many different keys were found that the filter let pass
 * @param complete whether that has been enough
 * @param refuted the id of the generation that called a key absent that was found
 * @param removed how many keys were removed since the active generation became live
 * @param empty whether the sources gave the active generation not a single key
 * @param doubt what was found after it was believed
 */
public record Proof(long calls, long found, boolean complete, @Nullable String refuted, long removed, boolean empty,
		Doubt doubt) {

	public static final Proof NONE = new Proof(0, 0, false, null, 0, false, Doubt.NONE);

	public boolean refutes(Generation generation) {
		return generation.id().equals(this.refuted);
	}

}
