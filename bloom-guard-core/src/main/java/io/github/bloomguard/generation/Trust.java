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
 * What the record says about how far the filter of one origin is to be believed. It
 * outlives rebuilds. These are its transitions, of which each is one atomic step of the
 * record:
 * <ul>
 * <li><em>loaded</em>: a generation becomes active. What was wrong before its build began
 * says nothing about it.
 * <li><em>settled</em>: a generation is loaded when the rollout is over.
 * <li><em>proved</em>: calls have shown enough. That stays.
 * <li><em>wrong</em>: a key was found that the filter calls absent. A filter that is
 * proved is doubted for a while. Of one that is not, the proof is forgotten and begins
 * anew.
 * <li><em>callers only</em>: a caller has found a row that no source has. For a while,
 * only calls verify.
 * <li><em>acknowledged</em>: an operator acknowledges the doubt, and it ends.
 * </ul>
 *
 * @param rollout the deployment that brought the origin
 * @param proof what calls have shown before the filter is believed
 * @param doubt what was found although the filter calls it absent
 */
public record Trust(Rollout rollout, Proof proof, Doubt doubt) {

	public static final Trust NONE = new Trust(Rollout.OVER, Proof.NONE, Doubt.NONE);

	/**
	 * Return whether the active generation was wrong lately.
	 */
	public boolean isWrong(long now) {
		return this.doubt.isLasting(now) && this.doubt.isSince(this.rollout.begun());
	}

	/**
	 * Return whether the keys are to be loaded again, because the active generation was
	 * wrong.
	 */
	public boolean isReloadDue(long now) {
		return this.doubt.isReloadDue(this.rollout.begun(), now);
	}

}
