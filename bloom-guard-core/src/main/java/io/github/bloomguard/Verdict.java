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

package io.github.bloomguard;

/**
 * What the guard has decided about one call.
 *
 * @since 1.0.0
 */
public enum Verdict {

	/**
	 * The filter is certain that the key doesn't exist: the caller gets nothing, and the
	 * method is not called.
	 */
	ABSENT(Membership.ABSENT, true),

	/**
	 * The filter says that the key doesn't exist, but the call goes through, because the
	 * filter only watches, has not proven itself yet, or this answer is verified first.
	 */
	LET_THROUGH(Membership.ABSENT, false),

	/**
	 * The filter lets the key pass, and an empty sentinel remembers that nothing was
	 * found: the caller gets nothing, and the method is not called.
	 */
	REMEMBERED(Membership.MAYBE, true),

	/**
	 * The key may exist: the call goes through.
	 */
	MAYBE(Membership.MAYBE, false),

	/**
	 * The call goes through, because the key is written or typed in a way in which the
	 * database may find rows that have another form. The filter never calls it absent.
	 */
	UNCERTAIN(Membership.MAYBE, false),

	/**
	 * The filter can't tell: the call goes through.
	 */
	UNKNOWN(Membership.UNKNOWN, false);

	private final Membership membership;

	private final boolean answered;

	Verdict(Membership membership, boolean answered) {
		this.membership = membership;
		this.answered = answered;
	}

	/**
	 * Return what the filter said.
	 * @return what it said
	 */
	public Membership membership() {
		return this.membership;
	}

	/**
	 * Return whether the call was answered with nothing, without calling the method.
	 * @return whether it was answered
	 */
	public boolean answered() {
		return this.answered;
	}

}
