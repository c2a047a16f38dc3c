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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.UncommittedInserts;
import io.github.bloomguard.catchup.AbsenceBarrier;
import io.github.bloomguard.filter.FilterSettings;
import org.jspecify.annotations.Nullable;

/**
 * Decides a call: the filter first, then the sentinel, then the method. All filters that
 * are made of this one share its state but for the sentinels.
 */
final class FilterGuard implements GuardedFilter {

	private final FilterSettings settings;

	private final FilterLookup lookup;

	private final ScopedSentinels sentinels;

	private final KeyWriter writer;

	private final KeyRemover remover;

	private final Verification verification;

	private final AbsenceBarrier barrier;

	private final CallbackExecutor handOver;

	private final FilterStatistics statistics;

	private final @Nullable Semaphore loads;

	private final AtomicBoolean remembering;

	/**
	 * Shared by the calls of one epoch. Any thread may replace it.
	 */
	private volatile Verdict passing = Verdict.MAYBE;

	FilterGuard(FilterSettings settings, FilterLookup lookup, ScopedSentinels sentinels, Keys keys,
			Verification verification, AbsenceBarrier barrier, CallbackExecutor handOver, FilterStatistics statistics) {
		this.settings = settings;
		this.lookup = lookup;
		this.sentinels = sentinels;
		this.writer = keys.writer();
		this.remover = keys.remover();
		this.verification = verification;
		this.barrier = barrier;
		this.handOver = handOver;
		this.statistics = statistics;
		this.loads = (settings.mode() == FilterMode.ENFORCE && settings.maxConcurrentLoads() > 0)
				? new Semaphore(settings.maxConcurrentLoads()) : null;
		this.remembering = new AtomicBoolean(sentinels.areUsed());
	}

	private FilterGuard(FilterGuard original, ScopedSentinels sentinels) {
		this.settings = original.settings;
		this.lookup = original.lookup;
		this.sentinels = sentinels;
		this.writer = original.writer;
		this.remover = original.remover;
		this.verification = original.verification;
		this.barrier = original.barrier;
		this.handOver = original.handOver;
		this.statistics = original.statistics;
		this.loads = original.loads;
		this.remembering = original.remembering;
		if (sentinels.areUsed()) {
			this.remembering.set(true);
		}
	}

	@Override
	public String name() {
		return this.settings.name();
	}

	@Override
	public FilterGuard withEmptyTtl(Duration emptyTtl) {
		return new FilterGuard(this, this.sentinels.withTtl(emptyTtl));
	}

	@Override
	public GuardedFilter scopedTo(String scope) {
		return new FilterGuard(this, this.sentinels.scopedTo(scope));
	}

	@Override
	public boolean mightContain(@Nullable Object key) {
		if (key == null || !this.lookup.isUsed()) {
			return true;
		}
		long epoch = this.lookup.epoch();
		Verdict verdict = count(withEmptyTtl(Duration.ZERO).decide(key, true, FilterGuard::isAbsent));
		return !isAbsent(verdict) || !isEnforced() || !this.verification.isSettledSince(epoch)
				|| verified(key, verdict) != Membership.ABSENT;
	}

	@Override
	public Membership membership(@Nullable Object key) {
		if (key == null || !this.lookup.isUsed()) {
			return Membership.UNKNOWN;
		}
		long epoch = this.lookup.epoch();
		Verdict verdict = withEmptyTtl(Duration.ZERO).decide(key, false, FilterGuard::isAbsent);
		if (!isAbsent(verdict)) {
			return verdict.membership();
		}
		return this.verification.isSettledSince(epoch) ? verified(key, verdict) : Membership.UNKNOWN;
	}

	/**
	 * Return what to tell somebody who asks without a call, which would find out.
	 */
	private Membership verified(Object key, Verdict verdict) {
		if (verdict.answered() && this.verification.isDrawnBefore()) {
			return this.verification.lookUpNow(key, this::isAnswered);
		}
		if (isVerified(verdict)) {
			this.verification.verify(key, null, this::isAnswered);
		}
		return verdict.membership();
	}

	/**
	 * Return whether a call for a key would be answered with nothing now, if the filter
	 * were believed.
	 */
	private CompletableFuture<Boolean> isAnswered(Object key) {
		return new Question(key, false, this.lookup.here(key), this.lookup.epoch()).bounded()
			.thenApply((verdict) -> verdict.answered() || isAbsent(verdict));
	}

	private static boolean isAbsent(Verdict verdict) {
		return verdict.membership() == Membership.ABSENT;
	}

	@Override
	public Verdict preview(@Nullable Object key) {
		if (key == null || !this.lookup.isUsed()) {
			return Verdict.UNKNOWN;
		}
		long epoch = this.lookup.epoch();
		Verdict verdict = withEmptyTtl(Duration.ZERO).decide(key, false, FilterGuard::isAbsent);
		return (isAbsent(verdict) && !this.verification.isSettledSince(epoch)) ? Verdict.UNKNOWN : verdict;
	}

	@Override
	public Verdict check(@Nullable Object key) {
		if (key == null || !this.lookup.isUsed()) {
			return Verdict.UNKNOWN;
		}
		Verdict verdict = decide(key, true, Verdict::answered);
		if (verdict.answered() && this.verification.isDrawnBefore()) {
			verdict = this.lookup.await(letThrough(key), Verdict.SHADOWED, this.lookup.deadline());
		}
		return count(verdict);
	}

	/**
	 * Return the verdict about a call that is to find out whether its key is absent.
	 */
	private CompletableFuture<Verdict> letThrough(Object key) {
		return this.verification.letThrough(key).thenApply((nothing) -> Verdict.SHADOWED);
	}

	/**
	 * Decide, and ask again behind the barrier if the verdict may be wrong without.
	 * @param call whether it is for a call, which may pass because another one has
	 */
	private Verdict decide(Object key, boolean call, Predicate<Verdict> unconfirmed) {
		long epoch = this.lookup.epoch();
		Membership here = this.lookup.here(key);
		if (isFinal(here)) {
			return verdict(here, epoch);
		}
		Question question = new Question(key, call, here, epoch);
		Verdict verdict = question.await();
		return (this.barrier != AbsenceBarrier.NONE && unconfirmed.test(verdict)) ? question.behindBarrier().join()
				: verdict;
	}

	@Override
	public CompletableFuture<Verdict> checkAsync(@Nullable Object key) {
		if (key == null || !this.lookup.isUsed()) {
			return CompletableFuture.completedFuture(Verdict.UNKNOWN);
		}
		long epoch = this.lookup.epoch();
		Question question = new Question(key, true, this.lookup.here(key), epoch);
		CompletableFuture<Verdict> decided = question.bounded()
			.thenCompose((verdict) -> (this.barrier != AbsenceBarrier.NONE && verdict.answered())
					? question.behindBarrier() : CompletableFuture.completedFuture(verdict))
			.thenCompose((verdict) -> (verdict.answered() && this.verification.isDrawnBefore())
					? this.lookup.bounded(letThrough(key), Verdict.SHADOWED, this.lookup.deadline())
					: CompletableFuture.completedFuture(verdict));
		return this.handOver.handOver(decided, () -> question.deadline).thenApply(this::count);
	}

	private boolean isFinal(Membership here) {
		return switch (here) {
			case ABSENT -> this.barrier == AbsenceBarrier.NONE;
			case MAYBE -> this.sentinels.areNone();
			case UNKNOWN -> false;
		};
	}

	@Override
	public Candidates possible(List<? extends @Nullable Object> keys) {
		long epoch = this.lookup.epoch();
		try {
			return possible(ask(this.lookup.many(keys)).join(), epoch, UncommittedInserts.areThere(name()));
		}
		catch (CompletionException ex) {
			// a key without a form
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	@Override
	public CompletableFuture<Candidates> possibleAsync(List<? extends @Nullable Object> keys) {
		long epoch = this.lookup.epoch();
		boolean newRows = UncommittedInserts.areThere(name());
		ManyKeys asked = this.lookup.many(keys);
		return this.handOver.handOver(ask(asked), asked::deadline)
			.thenApply((answers) -> possible(answers, epoch, newRows));
	}

	private CompletableFuture<ManyKeys> ask(ManyKeys keys) {
		CompletableFuture<ManyKeys> asked = keys.ask(this.handOver.always());
		if (this.barrier == AbsenceBarrier.NONE) {
			return asked;
		}
		return asked.thenCompose((answers) -> !answers.anyAbsent() ? CompletableFuture.completedFuture(answers)
				: this.barrier.pass()
					.thenCompose((passed) -> passed ? answers.reset().ask(this.handOver.always())
							: CompletableFuture.completedFuture(answers.withoutAbsent())));
	}

	@Override
	public @Nullable LoadPermit acquire(Verdict verdict) {
		Semaphore loads = this.loads;
		if (loads == null || verdict.membership() != Membership.UNKNOWN) {
			return null;
		}
		if (!loads.tryAcquire()) {
			this.statistics.rejected();
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
				this.verification.notFound(Stream.of(key));
			}
			else {
				this.verification.found(key, this::isAnswered);
			}
		}
		if (verdict.membership() == Membership.MAYBE) {
			if (empty) {
				falsePositive(key, verdict);
			}
			else {
				this.verification.confirmed(key);
			}
		}
	}

	private void falsePositive(Object key, Verdict verdict) {
		this.statistics.falsePositive();
		String form = this.lookup.canonical(key);
		if (verdict.mayBeRemembered() && usesSentinels(key, form) && this.verification.isSettled()) {
			this.verification.remember(key, form, () -> this.sentinels.remember(form, verdict.epoch()));
		}
	}

	/**
	 * Only the first result for many keys counts: it does not tell which was found.
	 */
	@Override
	public void loaded(List<? extends @Nullable Object> keys, Candidates candidates, boolean empty) {
		BitSet absent = candidates.absent();
		if (empty) {
			this.verification.notFound(absent.stream()
				.filter((i) -> !candidates.verified().get(i))
				.mapToObj(keys::get)
				.filter(Objects::nonNull));
		}
		else if (absent.cardinality() == keys.size()) {
			this.verification.anyFound(keys.stream().filter(Objects::nonNull).toList(), this::isAnswered);
		}
		else if (absent.isEmpty() && candidates.verdict().membership() == Membership.MAYBE) {
			keys.stream().filter(Objects::nonNull).findFirst().ifPresent(this.verification::confirmed);
		}
	}

	@Override
	public boolean isProven() {
		return this.verification.isProven();
	}

	@Override
	public boolean isVerified(Verdict verdict) {
		return verdict.answered() && this.verification.isDrawnBehind();
	}

	@Override
	public void verify(Object key, Loader<? extends CompletionStage<Boolean>, ?> call) {
		this.verification.verify(key, call, this::isAnswered);
	}

	@Override
	public void unchecked() {
		count(Verdict.UNKNOWN);
	}

	@Override
	public boolean remembersAbsence() {
		return this.remembering.get() || !this.settings.adding().caches().isEmpty();
	}

	/**
	 * A cache asks no barrier, so it would hide a row until the change log is read that
	 * far.
	 */
	@Override
	public boolean mayCacheAbsence(String cache, List<String> key) {
		return !this.settings.adding().caches().contains(cache)
				|| (this.barrier == AbsenceBarrier.NONE && this.lookup.areCanonical(key));
	}

	@Override
	public List<@Nullable Object> known(Collection<? extends @Nullable Object> keys) {
		return this.writer.known(keys);
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

	@Override
	public KeyRemoval removalIfGone() {
		return this.remover.removalIfGone();
	}

	private Verdict verdict(Membership membership, long epoch) {
		return verdict(membership, epoch, membership == Membership.ABSENT && UncommittedInserts.areThere(name()));
	}

	private Verdict verdict(Membership membership, long epoch, boolean newRows) {
		return switch (membership) {
			case ABSENT ->
				newRows ? Verdict.UNKNOWN : this.verification.isBelieved(epoch) ? Verdict.ABSENT : Verdict.SHADOWED;
			case MAYBE -> knowsRecentAdds() ? passing(epoch) : Verdict.MAYBE;
			case UNKNOWN -> Verdict.UNKNOWN;
		};
	}

	/**
	 * If not, a key may be forgotten whose row is committed after a load that begins now,
	 * so that nothing may be remembered after the load.
	 */
	private boolean knowsRecentAdds() {
		return this.lookup.hasJournalOf(this.settings.adding().longestTransaction());
	}

	private Verdict passing(long epoch) {
		Verdict passing = this.passing;
		if (passing.epoch() != epoch) {
			passing = Verdict.maybe(epoch);
			this.passing = passing;
		}
		return passing;
	}

	/**
	 * A sentinel of one key would answer for others of the same form.
	 */
	private boolean usesSentinels(Object key, String form) {
		return isEnforced() && this.sentinels.areUsed() && this.lookup.isCanonical(key, form);
	}

	private boolean isEnforced() {
		return this.settings.mode() == FilterMode.ENFORCE;
	}

	private Verdict count(Verdict verdict) {
		this.statistics.decided(verdict);
		return verdict;
	}

	private Candidates possible(ManyKeys keys, long epoch, boolean newRows) {
		BitSet possible = new BitSet(keys.size());
		BitSet absent = new BitSet();
		BitSet verified = new BitSet();
		boolean decided = true;
		for (int i = 0; i < keys.size(); i++) {
			Membership answer = keys.answer(i);
			Verdict verdict = (keys.form(i) != null) ? count(verdict(answer, epoch, newRows)) : Verdict.UNKNOWN;
			if (verdict.answered() && this.verification.isDrawnBefore()) {
				verdict = Verdict.SHADOWED;
				verified.set(i);
			}
			verified.set(i, verified.get(i) || isVerified(verdict));
			possible.set(i, !verdict.answered());
			absent.set(i, verdict == Verdict.SHADOWED);
			decided &= keys.form(i) == null || answer != Membership.UNKNOWN;
		}
		return new Candidates(possible, absent, verified,
				!decided ? Verdict.UNKNOWN : (possible.isEmpty() ? Verdict.ABSENT : Verdict.MAYBE));
	}

	/**
	 * The key of one call that this instance can't decide alone. Sources and converters
	 * of the application are asked on the caller's thread.
	 * <p>
	 * Concurrency: what is not final is written before an answer completes, and read
	 * after that.
	 */
	private final class Question {

		private final FilterLookup lookup = FilterGuard.this.lookup;

		private final Object key;

		private final String form;

		private final boolean call;

		private final boolean newRows = UncommittedInserts.areThere(name());

		private final boolean certain;

		private final boolean sentinel;

		private Membership known;

		private long epoch;

		private long deadline;

		Question(Object key, boolean call, Membership here, long epoch) {
			this.key = key;
			this.call = call;
			this.form = this.lookup.canonical(key);
			this.certain = this.lookup.isCertain(key);
			this.sentinel = this.certain && !this.newRows && usesSentinels(key, this.form);
			begin(here, epoch);
		}

		private void begin(Membership here, long epoch) {
			boolean passed = here == Membership.UNKNOWN && this.call && !this.sentinel
					&& this.lookup.hasPassed(this.form, epoch);
			this.known = passed ? Membership.MAYBE : here;
			this.epoch = epoch;
			this.deadline = this.lookup.deadline();
		}

		Verdict await() {
			return isDecided() ? verdict() : this.lookup.await(ask(), verdict(), this.deadline);
		}

		CompletableFuture<Verdict> bounded() {
			return isDecided() ? CompletableFuture.completedFuture(verdict())
					: this.lookup.bounded(ask(), verdict(), this.deadline);
		}

		/**
		 * Decide anew when the keys of all rows are added that are visible now.
		 */
		CompletableFuture<Verdict> behindBarrier() {
			return FilterGuard.this.barrier.pass().thenCompose((passed) -> {
				long epoch = this.lookup.epoch();
				begin(passed ? this.lookup.here(this.key) : Membership.UNKNOWN, epoch);
				return passed ? bounded() : CompletableFuture.completedFuture(Verdict.UNKNOWN);
			});
		}

		private boolean isDecided() {
			return this.known != Membership.UNKNOWN && !mayBeRemembered();
		}

		private boolean mayBeRemembered() {
			return this.known == Membership.MAYBE && this.sentinel && FilterGuard.this.verification.isSettled();
		}

		private Verdict verdict() {
			return FilterGuard.this.verdict(this.known, this.epoch, this.newRows);
		}

		private CompletableFuture<Verdict> ask() {
			if (this.known != Membership.UNKNOWN) {
				return askSentinel();
			}
			return this.lookup.ask(this.form).thenCompose((answer) -> {
				this.known = (answer == Membership.ABSENT && !this.certain) ? Membership.MAYBE : answer;
				if (this.call && this.known == Membership.MAYBE) {
					this.lookup.passed(this.form, this.epoch);
				}
				return askSentinel();
			});
		}

		private CompletableFuture<Verdict> askSentinel() {
			Verdict verdict = verdict();
			return mayBeRemembered()
					? FilterGuard.this.sentinels.ask(this.form)
						.thenApply((remembered) -> remembered ? Verdict.REMEMBERED : verdict)
					: CompletableFuture.completedFuture(verdict);
		}

	}

	record Keys(KeyWriter writer, KeyRemover remover) {

	}

}
