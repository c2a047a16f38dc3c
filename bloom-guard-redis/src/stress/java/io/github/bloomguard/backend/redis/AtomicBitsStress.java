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

package io.github.bloomguard.backend.redis;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * What {@link AtomicBits} says of the order in which threads see bits, as tests for
 * jcstress.
 */
final class AtomicBitsStress {

	private AtomicBitsStress() {
	}

	/**
	 * Two threads set a bit each in the same word.
	 */
	@JCStressTest
	@Outcome(id = "true, true", expect = Expect.ACCEPTABLE)
	@Outcome(expect = Expect.FORBIDDEN, desc = "a bit was lost")
	@State
	public static class SameWord {

		private final AtomicBits bits = new AtomicBits(64);

		@Actor
		public void first() {
			this.bits.set(5);
		}

		@Actor
		public void second() {
			this.bits.set(6);
		}

		@Arbiter
		public void both(ZZ_Result result) {
			result.r1 = this.bits.get(5);
			result.r2 = this.bits.get(6);
		}

	}

	/**
	 * A mirror sets a bit, and acknowledges it.
	 */
	@JCStressTest
	@Outcome(id = { "false, false", "false, true", "true, true" }, expect = Expect.ACCEPTABLE)
	@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "acknowledged before it was set")
	@State
	public static class SetThenAcknowledged {

		private final AtomicBits bits = new AtomicBits(64);

		private volatile boolean acknowledged;

		@Actor
		public void add() {
			this.bits.set(5);
			this.acknowledged = true;
		}

		@Actor
		public void lookUp(ZZ_Result result) {
			result.r1 = this.acknowledged;
			result.r2 = this.bits.get(5);
		}

	}

	/**
	 * A lookup reads a bit, and then whether the mirror is still trusted.
	 */
	@JCStressTest
	@Outcome(id = { "false, false", "false, true", "true, true" }, expect = Expect.ACCEPTABLE)
	@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "trust was read before the bit")
	@State
	public static class ReadThenTrusted {

		private final AtomicBits bits = new AtomicBits(64);

		private boolean ended;

		@Actor
		public void end() {
			this.ended = true;
			this.bits.set(5);
		}

		@Actor
		public void lookUp(ZZ_Result result) {
			result.r1 = this.bits.get(5);
			result.r2 = this.ended;
		}

	}

}
