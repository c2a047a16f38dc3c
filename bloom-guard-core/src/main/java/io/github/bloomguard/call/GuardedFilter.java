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

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.UnsupportedKeyException;
import org.jspecify.annotations.Nullable;

/**
 * One configured filter, as a call that reads sees it: {@link #check} before the call,
 * {@link #acquire} if it goes through, {@link #loaded} after it. What writes rows sees a
 * {@link WrittenFilter}.
 * <p>
 * No method but {@link #acquire} fails because the guard is ill: the answer is then
 * {@link Membership#UNKNOWN}. A key whose type has no canonical form is an
 * {@link UnsupportedKeyException}.
 */
public interface GuardedFilter {

	String name();

	/**
	 * Return the same filter with another time to live of its sentinels, zero for none.
	 */
	GuardedFilter withEmptyTtl(Duration emptyTtl);

	/**
	 * Return the same filter with empty sentinels of their own: what one method does not
	 * find for a key another one may.
	 */
	GuardedFilter scopedTo(String scope);

	boolean mightContain(@Nullable Object key);

	Membership membership(@Nullable Object key);

	/**
	 * Return what would be decided about a call, without empty sentinels or counting.
	 */
	Decision preview(@Nullable Object key);

	/**
	 * Return whether an empty sentinel of any method would answer a call. Waits for Redis
	 * as a call does.
	 */
	boolean isRemembered(Object key);

	/**
	 * Return what the sources say of a key, which are asked once. Waits for them for a
	 * second at most.
	 * @return {@code MAYBE} if there is such a row, {@code UNKNOWN} if they can't tell
	 */
	Membership lookUp(Object key);

	/**
	 * Decide whether a call is answered without calling the method; {@code null} is
	 * {@link Decision#UNKNOWN}.
	 * @return takes at most {@code bloom-guard.timeout}, does not fail, and reaches those
	 * who follow it on a thread that user code may block
	 */
	Answer<Decision> check(@Nullable Object key);

	/**
	 * Decide for many keys at once.
	 * @return fails only if a key has no canonical form, and reaches those who follow it
	 * on a thread that user code may block
	 */
	Answer<Candidates> possible(List<? extends @Nullable Object> keys);

	/**
	 * Let a call through, without waiting. Only so many may load at the same time while
	 * the filter can't tell.
	 * @return to be closed when the call has ended; {@code null} if calls like this are
	 * not limited
	 * @throws LoadRejectedException if too many load already
	 */
	@Nullable LoadPermit acquire(Decision verdict);

	boolean isProven();

	/**
	 * Report what a call that went through has found. Does not wait.
	 * @param inTransaction whether a call that has found nothing was made in a
	 * transaction: then it is remembered only if a source says that there is no such row
	 */
	void loaded(@Nullable Object key, Decision verdict, boolean empty, boolean inTransaction);

	void loaded(List<? extends @Nullable Object> keys, Candidates candidates, boolean empty);

	/**
	 * Run an action if it is certain that no row has the key for which a call has found
	 * nothing: the sources say so, or the filter has, where they can't tell. Does not
	 * wait: the action is run later and on another thread if a source is asked.
	 * @param verdict what was said of the key before the call
	 */
	void ifAbsent(Object key, Decision verdict, Runnable action);

	/**
	 * Draw whether the answer that a call is given is verified, which takes one question
	 * of those that are asked in this second, or shares the question of another call.
	 * @return {@code null} if it is not
	 */
	@Nullable VerifiedAnswer draw(Object key, Decision verdict);

	/**
	 * Verify answers for many keys as {@link VerifiedAnswer} does for one, all of them by
	 * one question.
	 * @param candidates what was decided about these keys
	 * @param calls make a call with the keys at some positions on another thread
	 * @return the decision, with the keys whose answer does not stand
	 */
	Answer<Candidates> verify(List<? extends @Nullable Object> keys, Candidates candidates,
			Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls);

	/**
	 * Count a call that goes through because its key could not be determined.
	 */
	void unchecked();

	/**
	 * Return whether this filter, one made of it or one of its listeners may remember
	 * that a key was not found.
	 */
	boolean remembersAbsence();

	/**
	 * Return the text, or those of several parts, under which alone a cache of this
	 * filter may remember that a key was not found: each add of the row clears it.
	 * @return {@code null} if there is none, because the row could be added under a key
	 * with another text, or by others while answers wait for the change log
	 */
	@Nullable Object textOfAbsence(Object key);

	/**
	 * Return whether a cache may remember that a load has not found a key: the sources,
	 * which are asked now, have no such row either, or can't tell. Others may find what
	 * the load did not, as in a replica that lags.
	 * @return takes at most {@code bloom-guard.timeout}, and does not fail: what the
	 * sources do not tell by then is {@code false}
	 */
	Answer<Boolean> confirmsAbsence(Object key);

}
