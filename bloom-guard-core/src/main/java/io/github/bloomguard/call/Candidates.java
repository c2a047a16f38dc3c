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

/**
 * Decision of the guard about many keys at once.
 *
 * @param positions the positions of the keys that the method is to be called with
 * @param absent those of them that the filter calls absent
 * @param verified those that the filter calls absent, and for which it may be found out
 * whether that is true; when they are verified, those for which it is
 * @param verdict {@link Decision#UNKNOWN} if the filter can't tell about some keys
 */
public record Candidates(BitSet positions, BitSet absent, BitSet verified, Decision verdict) {

	/**
	 * Return the decision to call the method also with keys that the filter calls absent.
	 */
	public Candidates with(BitSet more) {
		BitSet positions = (BitSet) this.positions.clone();
		BitSet absent = (BitSet) this.absent.clone();
		positions.or(more);
		absent.or(more);
		return new Candidates(positions, absent, this.verified, this.verdict);
	}

	/**
	 * Return the decision to verify some answers only.
	 */
	public Candidates verified(BitSet verified) {
		return new Candidates(this.positions, this.absent, verified, this.verdict);
	}

}
