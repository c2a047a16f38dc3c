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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.adding.AddedKeysListeners;
import io.github.bloomguard.adding.FilterWrites;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.call.VerifiedAnswer;
import io.github.bloomguard.deciding.FilterLookup;
import io.github.bloomguard.deciding.KeyDecisions;
import io.github.bloomguard.deciding.KeyDecisions.Asker;
import io.github.bloomguard.deciding.LoadLimit;
import io.github.bloomguard.deciding.ScopedSentinels;
import io.github.bloomguard.deciding.SentinelName;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.instance.FilterSnapshot;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Standing;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.verifying.Findings;
import io.github.bloomguard.verifying.Verification;
import io.github.bloomguard.verifying.VerifiedKeys.Turn;
import org.jspecify.annotations.Nullable;

/**
 * What callers with sentinels of their own see of one filter.
 */
final class FilterGuard implements GuardedFilter {

	private final Parts parts;

	private final ScopedSentinels sentinels;

	FilterGuard(Parts parts, ScopedSentinels sentinels) {
		this.parts = parts;
		this.sentinels = sentinels;
		if (sentinels.areUsed()) {
			parts.writes().sentinelsAreUsed();
		}
	}

	@Override
	public String name() {
		return this.parts.settings().name();
	}

	@Override
	public GuardedFilter withEmptyTtl(Duration emptyTtl) {
		return new FilterGuard(this.parts, this.sentinels.withTtl(emptyTtl));
	}

	@Override
	public GuardedFilter scopedTo(String scope) {
		return new FilterGuard(this.parts, this.sentinels.scopedTo(scope));
	}

	@Override
	public boolean mightContain(@Nullable Object key) {
		Decision verdict = asked(key, Asker.QUESTION);
		if (key != null && !isOff()) {
			decisions().count(verdict);
		}
		if (key == null || !isAbsent(verdict) || this.parts.filter().mode() != FilterMode.ENFORCE) {
			return true;
		}
		Membership told = verified(key);
		if (verdict.answered()) {
			countIfLetThrough(told);
		}
		return told != Membership.ABSENT;
	}

	@Override
	public Membership membership(@Nullable Object key) {
		Decision verdict = asked(key, Asker.PREVIEW);
		return (key != null && isAbsent(verdict)) ? verified(key) : verdict.membership();
	}

	@Override
	public Decision preview(@Nullable Object key) {
		return asked(key, Asker.PREVIEW);
	}

	private Decision asked(@Nullable Object key, Asker asker) {
		return (key != null && !isOff()) ? decisions().decide(key, asker, this.sentinels).await() : Decision.UNKNOWN;
	}

	/**
	 * Return the answer to a question for a key that the filter calls absent. No call
	 * follows that could find out, so this is an answer even if the filter is not
	 * believed yet.
	 */
	private Membership verified(Object key) {
		FilterSnapshot snapshot = this.parts.filter().snapshot();
		Turn turn = verification().draw(snapshot, key);
		return (turn != null) ? verification().verify(snapshot, key, turn, null, this::isAnswered).await()
				: Membership.ABSENT;
	}

	@Override
	public boolean isRemembered(Object key) {
		return this.parts.lookup().bounded(this.sentinels.askAny(sentinel(key)), false).await();
	}

	@Override
	public Membership lookUp(Object key) {
		return verification().lookUp(key);
	}

	@Override
	public Answer<Decision> check(@Nullable Object key) {
		return (key == null || isOff()) ? KeyDecisions.UNKNOWN : decisions().decide(key, this.sentinels);
	}

	@Override
	public Answer<Candidates> possible(List<? extends @Nullable Object> keys) {
		return decisions().decide(keys);
	}

	@Override
	public @Nullable LoadPermit acquire(Decision verdict) {
		return this.parts.loads().acquire(verdict);
	}

	@Override
	public void loaded(@Nullable Object key, Decision verdict, boolean empty, boolean inTransaction) {
		if (key == null) {
			return;
		}
		if (verdict.membership() == Membership.ABSENT) {
			verification().called(key, Optional.of(!empty));
			if (empty) {
				findings().notFound(Stream.of(key));
			}
			else {
				findings().found(key, true, this::isAnswered);
			}
		}
		if (verdict.membership() == Membership.MAYBE) {
			if (empty) {
				notFound(key, verdict, inTransaction);
			}
			else if (!verdict.uncertain() || this.parts.lookup().canTell(key, this.parts.lookup().form(key))) {
				findings().confirmed(key);
			}
		}
	}

	private void notFound(Object key, Decision verdict, boolean inTransaction) {
		if (!verdict.uncertain()) {
			this.parts.statistics().falsePositive();
		}
		if (verdict.mayBeRemembered() && decisions().areUsed(this.sentinels) && standing().settled()) {
			SentinelName name = sentinel(key);
			verification().remember(key, inTransaction, () -> this.sentinels.remember(name, verdict.epoch()));
		}
	}

	private SentinelName sentinel(Object key) {
		return this.parts.lookup().sentinel(key, this.parts.lookup().form(key));
	}

	/**
	 * A result for many keys does not tell which was found.
	 */
	@Override
	public void loaded(List<? extends @Nullable Object> keys, Candidates candidates, boolean empty) {
		List<Object> absent = candidates.absent()
			.stream()
			.<@Nullable Object>mapToObj(keys::get)
			.filter(Objects::nonNull)
			.toList();
		absent.forEach((key) -> verification().called(key, empty ? Optional.of(false) : Optional.empty()));
		if (empty) {
			findings().notFound(absent.stream());
		}
		else if (absent.size() == keys.size()) {
			verification().anyFound(absent, candidates.verified().cardinality() == keys.size(), this::isAnswered);
		}
		else if (!absent.isEmpty()) {
			verification().lookUpBehind(candidates, keys, this::isAnswered);
		}
		else if (candidates.verdict().membership() == Membership.MAYBE) {
			keys.stream().filter(Objects::nonNull).findFirst().ifPresent(findings()::confirmed);
		}
	}

	@Override
	public boolean isProven() {
		return standing().proven();
	}

	@Override
	public void ifAbsent(Object key, Decision verdict, Runnable action) {
		verification().ifAbsent(key, isAbsent(verdict), action);
	}

	@Override
	public @Nullable VerifiedAnswer draw(Object key, Decision verdict) {
		if (!verdict.answered()) {
			return null;
		}
		FilterSnapshot snapshot = this.parts.filter().snapshot();
		Turn turn = verification().draw(snapshot, key);
		return (turn != null) ? (call) -> verification().verify(snapshot, key, turn, call, this::isAnswered)
			.map((told) -> countIfLetThrough(told) == Membership.ABSENT) : null;
	}

	private Membership countIfLetThrough(Membership told) {
		if (told != Membership.ABSENT) {
			this.parts.statistics().letThrough(1);
		}
		return told;
	}

	@Override
	public Answer<Candidates> verify(List<? extends @Nullable Object> keys, Candidates candidates,
			Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls) {
		return verification().verify(this.parts.filter().snapshot(), keys, candidates, calls, this::isAnswered)
			.map((verified) -> {
				this.parts.statistics()
					.letThrough(verified.positions().cardinality() - candidates.positions().cardinality());
				return verified;
			});
	}

	@Override
	public void unchecked() {
		decisions().count(Decision.UNKNOWN);
	}

	@Override
	public boolean remembersAbsence() {
		return this.parts.writes().remembersAbsence();
	}

	/**
	 * A cache asks no barrier, so it would hide a row until the change log is read that
	 * far. Nor does an add of another application, which owns the filter, clear it.
	 */
	@Override
	public @Nullable Object textOfAbsence(Object key) {
		List<@Nullable String> texts = this.parts.listeners().texts(key, this.parts.lookup().form(key));
		return (decisions().isWithoutBarrier() && !isOfOther() && this.parts.lookup().areDistinct(key, texts))
				? AddedKeysListeners.together(texts) : null;
	}

	@Override
	public Answer<Boolean> confirmsAbsence(Object key) {
		if (isOff()) {
			return Verification.CONFIRMED;
		}
		return isOfOther() ? Verification.REFUSED : verification().confirmsAbsence(key);
	}

	private CompletableFuture<Boolean> isAnswered(Object key) {
		return decisions().isAnswered(key, this.sentinels, FilterSupervisor.INTERVAL);
	}

	private boolean isOfOther() {
		return this.parts.filter().owner() != null;
	}

	private boolean isOff() {
		return this.parts.filter().mode() == FilterMode.OFF;
	}

	private static boolean isAbsent(Decision verdict) {
		return verdict.membership() == Membership.ABSENT;
	}

	private KeyDecisions decisions() {
		return this.parts.decisions();
	}

	private Standing standing() {
		return this.parts.filter().standing();
	}

	private Verification verification() {
		return this.parts.verification();
	}

	private Findings findings() {
		return this.parts.findings();
	}

	/**
	 * What all callers of a filter share.
	 */
	record Parts(FilterSettings settings, GenerationalFilter filter, FilterLookup lookup, KeyDecisions decisions,
			Verification verification, Findings findings, AddedKeysListeners listeners, FilterWrites writes,
			LoadLimit loads, FilterStatistics statistics) {

	}

}
