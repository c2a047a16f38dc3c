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

package io.github.bloomguard.benchmarks.call;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.call.VerifiedAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Calls negative numbers absent and does nothing else, so that what is measured is the
 * interceptor alone.
 *
 * @param name the name
 */
record StubFilter(String name) implements GuardedFilter {

	private static final Decision MAYBE = Decision.maybe(1);

	@Override
	public GuardedFilter withEmptyTtl(Duration emptyTtl) {
		return this;
	}

	@Override
	public GuardedFilter scopedTo(String scope) {
		return this;
	}

	@Override
	public boolean mightContain(@Nullable Object key) {
		return !preview(key).answered();
	}

	@Override
	public Membership membership(@Nullable Object key) {
		return preview(key).membership();
	}

	@Override
	public Decision preview(@Nullable Object key) {
		return (key instanceof Long number && number < 0) ? Decision.ABSENT : MAYBE;
	}

	@Override
	public boolean isRemembered(Object key) {
		return false;
	}

	@Override
	public Membership lookUp(Object key) {
		return Membership.UNKNOWN;
	}

	@Override
	public boolean remembersAbsence() {
		return true;
	}

	@Override
	public @Nullable Object textOfAbsence(Object key) {
		return null;
	}

	@Override
	public Answer<Boolean> confirmsAbsence(Object key) {
		return Answer.of(true);
	}

	@Override
	public Answer<Decision> check(@Nullable Object key) {
		return Answer.of(preview(key));
	}

	@Override
	public Answer<Candidates> possible(List<? extends @Nullable Object> keys) {
		BitSet all = new BitSet();
		all.set(0, keys.size());
		return Answer.of(new Candidates(all, new BitSet(), new BitSet(), MAYBE));
	}

	@Override
	public @Nullable LoadPermit acquire(Decision verdict) {
		return null;
	}

	@Override
	public boolean isProven() {
		return true;
	}

	@Override
	public void loaded(@Nullable Object key, Decision verdict, boolean empty, boolean inTransaction) {
	}

	@Override
	public void loaded(List<? extends @Nullable Object> keys, Candidates candidates, boolean empty) {
	}

	@Override
	public void ifAbsent(Object key, Decision verdict, Runnable action) {
	}

	@Override
	public @Nullable VerifiedAnswer draw(Object key, Decision verdict) {
		return null;
	}

	@Override
	public Answer<Candidates> verify(List<? extends @Nullable Object> keys, Candidates candidates,
			Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls) {
		return Answer.of(candidates);
	}

	@Override
	public void unchecked() {
	}

}
