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

import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;

/**
 * Decision of the guard about one call, with what is needed after the call. Listeners are
 * told its {@link Verdict}.
 *
 * @param membership what the filter said
 * @param answered whether the call is answered with nothing, without calling the method:
 * the filter said {@link Membership#ABSENT}, or an empty sentinel remembers that nothing
 * was found
 * @param epoch the epoch of the filter when it was asked; what is remembered after the
 * call holds only if the filter is still in this epoch; no epoch if nothing
 * {@linkplain #mayBeRemembered() may be remembered}
 * @param uncertain whether the key is written or typed in a way in which the database may
 * find rows that have another form, so that the filter never calls it absent
 */
public record Decision(Membership membership, boolean answered, long epoch, boolean uncertain) {

	private static final long NO_EPOCH = 0;

	/**
	 * Create a decision about a key whose form is certain.
	 * @param membership what the filter said
	 * @param answered whether the call is answered with nothing
	 * @param epoch the epoch of the filter when it was asked
	 */
	public Decision(Membership membership, boolean answered, long epoch) {
		this(membership, answered, epoch, false);
	}

	/**
	 * The filter is certain that the key doesn't exist.
	 */
	public static final Decision ABSENT = new Decision(Membership.ABSENT, true, NO_EPOCH);

	/**
	 * The filter is certain, but only watches, or has not proven itself yet: the call
	 * goes through.
	 */
	public static final Decision LET_THROUGH = new Decision(Membership.ABSENT, false, NO_EPOCH);

	/**
	 * The filter lets the key pass, and a sentinel remembers that nothing was found.
	 */
	public static final Decision REMEMBERED = new Decision(Membership.MAYBE, true, NO_EPOCH);

	/**
	 * The filter can't tell: the call goes through.
	 */
	public static final Decision UNKNOWN = new Decision(Membership.UNKNOWN, false, NO_EPOCH);

	/**
	 * The key may exist: the call goes through, and nothing may be remembered of it.
	 */
	public static final Decision MAYBE = new Decision(Membership.MAYBE, false, NO_EPOCH);

	/**
	 * Return this decision for a call of which nothing may be remembered.
	 * @return the decision without an epoch
	 */
	public Decision unremembered() {
		return new Decision(this.membership, this.answered, NO_EPOCH, this.uncertain);
	}

	/**
	 * Return the decision as listeners are told it.
	 */
	public Verdict verdict() {
		return switch (this.membership) {
			case ABSENT -> this.answered ? Verdict.ABSENT : Verdict.LET_THROUGH;
			case MAYBE -> this.answered ? Verdict.REMEMBERED : (this.uncertain ? Verdict.UNCERTAIN : Verdict.MAYBE);
			case UNKNOWN -> Verdict.UNKNOWN;
		};
	}

	/**
	 * Return whether it may be remembered that the call has found nothing.
	 * @return whether there is an epoch
	 */
	public boolean mayBeRemembered() {
		return this.epoch != NO_EPOCH;
	}

	/**
	 * The key may exist: the call goes through.
	 * @param epoch the epoch of the filter when it was asked
	 * @return the decision
	 */
	public static Decision maybe(long epoch) {
		return new Decision(Membership.MAYBE, false, epoch);
	}

	/**
	 * Return this decision for a key of which rows may have another form.
	 * @return the decision as one that is uncertain
	 */
	public Decision asUncertain() {
		return new Decision(this.membership, this.answered, this.epoch, true);
	}

}
