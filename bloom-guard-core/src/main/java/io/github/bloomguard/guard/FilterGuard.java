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
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.call.NewRows;
import io.github.bloomguard.call.TransactionalKeys;
import org.jspecify.annotations.Nullable;

/**
 * Decides a call: the filter first, then the sentinel, then the method. What it knows is
 * shared by all filters that are made of this one; only the sentinels are their own.
 */
final class FilterGuard implements GuardedFilter {

	private final FilterSettings settings;

	private final FilterLookup lookup;

	private final ScopedSentinels sentinels;

	private final KeyWriter writer;

	private final KeyRemover remover;

	private final AbsenceVerifier verifier;

	private final HandOver handOver;

	private final FilterTraffic traffic;

	private final @Nullable Semaphore loads;

	/**
	 * Create a guard.
	 * @param settings how the filter is used
	 * @param lookup asks the filter
	 * @param sentinels remember what was not found
	 * @param keys adds and removes keys
	 * @param verifier compares what the filter says with what is found
	 * @param handOver brings asynchronous answers to threads that users may block
	 * @param traffic counts what happens
	 */
	FilterGuard(FilterSettings settings, FilterLookup lookup, ScopedSentinels sentinels, Keys keys,
			AbsenceVerifier verifier, HandOver handOver, FilterTraffic traffic) {
		this.settings = settings;
		this.lookup = lookup;
		this.sentinels = sentinels;
		this.writer = keys.writer();
		this.remover = keys.remover();
		this.verifier = verifier;
		this.handOver = handOver;
		this.traffic = traffic;
		this.loads = (settings.mode() == FilterMode.ENFORCE && settings.maxConcurrentLoads() > 0)
				? new Semaphore(settings.maxConcurrentLoads()) : null;
	}

	private FilterGuard(FilterGuard original, ScopedSentinels sentinels) {
		this.settings = original.settings;
		this.lookup = original.lookup;
		this.sentinels = sentinels;
		this.writer = original.writer;
		this.remover = original.remover;
		this.verifier = original.verifier;
		this.handOver = original.handOver;
		this.traffic = original.traffic;
		this.loads = original.loads;
	}

	@Override
	public String name() {
		return this.settings.name();
	}

	@Override
	public GuardedFilter withEmptyTtl(Duration emptyTtl) {
		return new FilterGuard(this, this.sentinels.withTtl(emptyTtl));
	}

	@Override
	public GuardedFilter scopedTo(String scope) {
		return new FilterGuard(this, this.sentinels.scopedTo(scope));
	}

	@Override
	public boolean mightContain(@Nullable Object key) {
		Verdict verdict = withEmptyTtl(Duration.ZERO).check(key);
		return verdict.membership() != Membership.ABSENT || !isEnforced();
	}

	@Override
	public Membership membership(@Nullable Object key) {
		String form = this.lookup.form(key);
		if (form == null) {
			return Membership.UNKNOWN;
		}
		Membership here = this.lookup.here(form);
		return (here != Membership.UNKNOWN) ? here : this.lookup.await(form, this.lookup.deadline());
	}

	@Override
	public Verdict preview(@Nullable Object key) {
		return verdict(membership(key), this.lookup.epoch());
	}

	@Override
	public Verdict check(@Nullable Object key) {
		String form = this.lookup.form(key);
		if (form == null) {
			return Verdict.UNKNOWN;
		}
		long epoch = this.lookup.epoch();
		Membership here = this.lookup.here(form);
		boolean decided = here == Membership.ABSENT || (here == Membership.MAYBE && !usesSentinels());
		return count(decided ? verdict(here, epoch) : await(form, here, epoch, this.lookup.deadline()));
	}

	/**
	 * Ask Redis for what this instance could not decide.
	 */
	private Verdict await(String form, Membership here, long epoch, long deadline) {
		Verdict verdict = (here != Membership.UNKNOWN) ? verdict(here, epoch) : awaitRedis(form, epoch, deadline);
		return (mayBeRemembered(verdict) && this.sentinels.await(form, deadline)) ? Verdict.REMEMBERED : verdict;
	}

	private Verdict awaitRedis(String form, long epoch, long deadline) {
		if (!usesSentinels() && this.lookup.hasPassed(form, epoch)) {
			return Verdict.maybe(epoch);
		}
		Verdict verdict = verdict(this.lookup.await(form, deadline), epoch);
		if (verdict.membership() == Membership.MAYBE) {
			this.lookup.passed(form, epoch);
		}
		return verdict;
	}

	@Override
	public CompletableFuture<Verdict> checkAsync(@Nullable Object key) {
		String form = this.lookup.form(key);
		if (form == null) {
			return CompletableFuture.completedFuture(Verdict.UNKNOWN);
		}
		long epoch = this.lookup.epoch();
		long deadline = this.lookup.deadline();
		boolean newRows = NewRows.areThere(name());
		CompletableFuture<Verdict> verdict = this.lookup.bounded(form, deadline)
			.thenApply((membership) -> verdict(membership, epoch, newRows))
			.thenCompose((decided) -> mayBeRemembered(decided)
					? this.sentinels.bounded(form, deadline)
						.thenApply((remembered) -> remembered ? Verdict.REMEMBERED : decided)
					: CompletableFuture.completedFuture(decided));
		return this.handOver.handOver(verdict, deadline).thenApply(this::count);
	}

	@Override
	public Candidates possible(List<? extends @Nullable Object> keys) {
		return possible(this.lookup.many(keys).ask(), NewRows.areThere(name()));
	}

	@Override
	public CompletableFuture<Candidates> possibleAsync(List<? extends @Nullable Object> keys) {
		long deadline = this.lookup.deadline();
		boolean newRows = NewRows.areThere(name());
		return this.handOver.handOver(this.lookup.many(keys).askAsync(this.handOver.always()), deadline)
			.thenApply((answers) -> possible(answers, newRows));
	}

	@Override
	public @Nullable LoadPermit acquire(Verdict verdict) {
		Semaphore loads = this.loads;
		if (loads == null || verdict.membership() != Membership.UNKNOWN) {
			return null;
		}
		if (!loads.tryAcquire()) {
			this.traffic.rejected();
			throw new LoadRejectedException(name(), this.lookup.state(), this.settings.maxConcurrentLoads());
		}
		AtomicBoolean held = new AtomicBoolean(true);
		return () -> {
			if (held.compareAndSet(true, false)) {
				loads.release();
			}
		};
	}

	@Override
	public void loaded(@Nullable Object key, Verdict verdict, boolean empty) {
		if (key == null) {
			return;
		}
		if (verdict.membership() == Membership.ABSENT) {
			if (empty) {
				this.verifier.notFound(1);
			}
			else {
				this.verifier.found(key);
			}
		}
		if (verdict.membership() == Membership.MAYBE && empty) {
			this.traffic.falsePositive();
			if (mayBeRemembered(verdict)) {
				this.sentinels.remember(this.lookup.canonical(key), verdict.epoch());
			}
		}
	}

	@Override
	public void loaded(List<? extends @Nullable Object> keys, Candidates candidates, boolean empty) {
		int absent = candidates.absent().cardinality();
		if (absent == 0) {
			return;
		}
		if (empty) {
			this.verifier.notFound(absent);
		}
		else if (absent == keys.size()) {
			this.verifier.anyFound(keys.stream().filter(Objects::nonNull).toList());
		}
	}

	@Override
	public boolean isAudited(Verdict verdict) {
		return verdict.membership() == Membership.ABSENT && this.verifier.drawsAudit();
	}

	@Override
	public void audit(Object key, Loader<? extends CompletionStage<Boolean>, ?> call) {
		this.verifier.audit(key, call);
	}

	@Override
	public void unchecked() {
		count(Verdict.UNKNOWN);
	}

	@Override
	public void add(Collection<? extends @Nullable Object> keys) {
		this.writer.add(keys);
	}

	@Override
	public TransactionalKeys transactionalKeys() {
		return this.writer.transactionalKeys();
	}

	@Override
	public KeyRemoval removal() {
		return this.remover.removal();
	}

	/**
	 * Return the verdict about a call of this thread.
	 */
	private Verdict verdict(Membership membership, long epoch) {
		return verdict(membership, epoch, membership == Membership.ABSENT && NewRows.areThere(name()));
	}

	private Verdict verdict(Membership membership, long epoch, boolean newRows) {
		return switch (membership) {
			case ABSENT -> newRows ? Verdict.UNKNOWN : this.verifier.isBelieved() ? Verdict.ABSENT : Verdict.SHADOWED;
			case MAYBE -> Verdict.maybe(epoch);
			case UNKNOWN -> Verdict.UNKNOWN;
		};
	}

	private boolean mayBeRemembered(Verdict verdict) {
		return verdict.membership() == Membership.MAYBE && usesSentinels();
	}

	private boolean usesSentinels() {
		return isEnforced() && this.sentinels.areUsed();
	}

	private boolean isEnforced() {
		return this.settings.mode() == FilterMode.ENFORCE;
	}

	private Verdict count(Verdict verdict) {
		this.traffic.decided(verdict);
		return verdict;
	}

	private Candidates possible(ManyKeys keys, boolean newRows) {
		BitSet possible = new BitSet(keys.size());
		BitSet absent = new BitSet();
		boolean decided = true;
		for (int i = 0; i < keys.size(); i++) {
			Membership answer = keys.answer(i);
			Verdict verdict = (keys.form(i) != null) ? count(verdict(answer, 0, newRows)) : Verdict.UNKNOWN;
			possible.set(i, !verdict.answered());
			absent.set(i, verdict == Verdict.SHADOWED);
			decided &= keys.form(i) == null || answer != Membership.UNKNOWN;
		}
		return new Candidates(possible, absent,
				!decided ? Verdict.UNKNOWN : (possible.isEmpty() ? Verdict.ABSENT : Verdict.maybe(0)));
	}

	/**
	 * What changes the keys of the filter.
	 *
	 * @param writer adds keys
	 * @param remover removes keys
	 */
	record Keys(KeyWriter writer, KeyRemover remover) {

	}

}
