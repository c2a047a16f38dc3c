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

package io.github.bloomguard.call;

import java.util.BitSet;

import io.github.bloomguard.Verdict;

/**
 * Decision of the guard about many keys at once.
 *
 * @param positions the positions of the keys that the method is to be called with
 * @param absent those of them that the filter calls absent, but is not believed
 * @param verified those that the filter calls absent, and for which it is to be found out
 * whether that is true
 * @param verdict {@link Verdict#UNKNOWN} if the filter can't tell about some keys
 */
public record Candidates(BitSet positions, BitSet absent, BitSet verified, Verdict verdict) {

	/**
	 * Return the decision to call the method with one more key, which is not absent.
	 */
	public Candidates withFound(int position) {
		BitSet positions = (BitSet) this.positions.clone();
		BitSet absent = (BitSet) this.absent.clone();
		positions.set(position);
		absent.set(position);
		return new Candidates(positions, absent, this.verified, this.verdict);
	}

}
