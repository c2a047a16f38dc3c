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

import java.util.function.BiPredicate;
import java.util.function.Predicate;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import org.jspecify.annotations.Nullable;

/**
 * A call that filters have let pass: it takes a permit of each that could not tell, and
 * tells each what it has found. Used by one thread at a time.
 */
public class GuardedCall {

	private static final ThreadLocal<@Nullable GuardedCall> CURRENT = new ThreadLocal<>();

	private @Nullable CheckOutcome last;

	/**
	 * Return the innermost call that the thread is making, {@code null} if there is none,
	 * or none whose filters remember absent keys.
	 */
	public static @Nullable GuardedCall current() {
		return CURRENT.get();
	}

	/**
	 * Return whether a condition holds for each filter and the key it was asked for; it
	 * does not where one was asked for many.
	 */
	public final boolean allKeys(BiPredicate<String, Object> condition) {
		for (CheckOutcome outcome = this.last; outcome != null; outcome = outcome.former) {
			Object key = outcome.key();
			if (key == null || !condition.test(outcome.filter.name(), key)) {
				return false;
			}
		}
		return this.last != null;
	}

	public final void passed(CheckOutcome outcome) {
		outcome.former = this.last;
		this.last = outcome;
	}

	public final boolean isUndecided() {
		return any(CheckOutcome::isUndecided);
	}

	public final boolean isOfInterest() {
		return any(CheckOutcome::isOfInterest);
	}

	private boolean any(Predicate<CheckOutcome> wanted) {
		for (CheckOutcome outcome = this.last; outcome != null; outcome = outcome.former) {
			if (wanted.test(outcome)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return whether the call is made in a transaction, which may see rows that no other
	 * session sees, or not see rows that others do.
	 */
	public boolean isInTransaction() {
		return ThreadTransaction.isReading();
	}

	public final GuardedCall begin() {
		try {
			for (CheckOutcome outcome = this.last; outcome != null; outcome = outcome.former) {
				if (outcome.isLimited() && !outcome.isRepeated()) {
					outcome.permit = outcome.filter.acquire(outcome.verdict);
				}
			}
			return this;
		}
		catch (LoadRejectedException ex) {
			end();
			throw ex;
		}
	}

	public final void end() {
		for (CheckOutcome outcome = this.last; outcome != null; outcome = outcome.former) {
			if (outcome.permit != null) {
				outcome.permit.close();
			}
		}
	}

	public final void returned(@Nullable Object result) {
		for (CheckOutcome outcome = this.last; outcome != null; outcome = outcome.former) {
			outcome.returned(result);
		}
	}

	public final void threw(Throwable failure) {
		for (CheckOutcome outcome = this.last; outcome != null; outcome = outcome.former) {
			outcome.threw(failure);
		}
	}

	/**
	 * Make the call where its caller waits for it.
	 * @throws LoadRejectedException if a filter that could not tell gives no permit
	 */
	public final <T extends @Nullable Object, X extends Throwable> T load(Loader<T, X> loader) throws X {
		begin();
		try {
			T result = within(loader);
			returned(result);
			return result;
		}
		catch (Throwable ex) {
			threw(ex);
			throw ex;
		}
		finally {
			end();
		}
	}

	/**
	 * Bind this to the thread while the method is called, if it matters to what is
	 * remembered.
	 */
	protected final <T extends @Nullable Object, X extends Throwable> T within(Loader<T, X> method) throws X {
		GuardedCall outer = CURRENT.get();
		if (outer == null && !any((outcome) -> outcome.filter.remembersAbsence())) {
			return method.load();
		}
		CURRENT.set(this);
		try {
			return method.load();
		}
		finally {
			// a thread keeps its entry, which each call would make anew
			CURRENT.set(outer);
		}
	}

	/**
	 * A filter that a call has passed.
	 */
	public static class CheckOutcome {

		private final GuardedFilter filter;

		private final Decision verdict;

		private @Nullable CheckOutcome former;

		private @Nullable LoadPermit permit;

		public CheckOutcome(GuardedFilter filter, Decision verdict) {
			this.filter = filter;
			this.verdict = verdict;
		}

		protected final GuardedFilter filter() {
			return this.filter;
		}

		protected final Decision verdict() {
			return this.verdict;
		}

		private boolean isRepeated() {
			for (CheckOutcome former = this.former; former != null; former = former.former) {
				if (former.isLimited() && former.filter.name().equals(this.filter.name())) {
					return true;
				}
			}
			return false;
		}

		/**
		 * Return the key, {@code null} if there were many.
		 */
		protected @Nullable Object key() {
			return null;
		}

		protected boolean isOfInterest() {
			return this.verdict.membership() == Membership.ABSENT || !this.filter.isProven();
		}

		private boolean isLimited() {
			return isUndecided() || this.verdict.uncertain();
		}

		private boolean isUndecided() {
			return this.verdict.membership() == Membership.UNKNOWN;
		}

		protected void returned(@Nullable Object result) {
		}

		protected void threw(Throwable failure) {
		}

	}

}
