package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.gate.RedisGate;
import io.github.bloomguard.generation.GenerationalFilter;
import io.github.bloomguard.sentinel.EmptySentinels;
import org.jspecify.annotations.Nullable;

/**
 * Decides a call: the filter first, then the sentinel, then the method. Holds no state of
 * its own.
 *
 * @since 0.1.0
 */
public final class FilterGuard implements GuardedFilter {

	private final FilterSettings settings;

	private final String scope;

	private final RedisGate gate;

	private final FilterLookup lookup;

	private final KeyWriter writer;

	private final KeyFormat format;

	private final GenerationalFilter filter;

	private final EmptySentinels sentinels;

	private final UnaryOperator<Duration> jitter;

	private final Supplier<CompletableFuture<Void>> rebuild;

	private final BloomGuardListener listener;

	private final HandOver handOver;

	private final Probation probation;

	private final @Nullable LoadLimit limit;

	private final @Nullable Auditor auditor;

	private final FalseNegativeAlarm alarm;

	private final PassedKeys passed;

	/**
	 * Create a guard.
	 * @param settings how the filter is used
	 * @param addTimeout the longest wait for adding keys, after which adding has failed
	 * @param format gives keys their one form
	 * @param filter what answers
	 * @param gate tells whether Redis may be asked, and how long a call may wait for it
	 * @param sentinels remember what was not found
	 * @param jitter draws the time to live of a sentinel
	 * @param nullEntries clears the null entries of Spring caches, given their names and
	 * the keys
	 * @param rebuild starts a rebuild
	 * @param listener is told what is decided
	 * @param callbacks run what follows an asynchronous answer; may be busy
	 * @param executor has a thread at any time, which may be blocked
	 */
	public FilterGuard(FilterSettings settings, Duration addTimeout, KeyFormat format, GenerationalFilter filter,
			RedisGate gate, EmptySentinels sentinels, UnaryOperator<Duration> jitter,
			BiFunction<Collection<String>, Collection<?>, CompletableFuture<Void>> nullEntries,
			Supplier<CompletableFuture<Void>> rebuild, BloomGuardListener listener, Executor callbacks,
			Executor executor) {
		this.settings = settings;
		this.scope = "";
		this.gate = gate;
		this.lookup = new FilterLookup(settings.mode() != FilterMode.OFF, format, filter, gate);
		this.writer = new KeyWriter(settings, addTimeout, format, filter, nullEntries, listener);
		this.format = format;
		this.filter = filter;
		this.sentinels = sentinels;
		this.jitter = jitter;
		this.rebuild = rebuild;
		this.listener = listener;
		this.handOver = new HandOver(callbacks, executor);
		this.probation = new Probation(settings, filter, this.lookup);
		this.limit = LoadLimit.of(settings);
		this.auditor = Auditor.of(settings, executor);
		this.alarm = new FalseNegativeAlarm(settings.name(), this.lookup, this.writer, listener, executor);
		this.passed = new PassedKeys();
	}

	private FilterGuard(FilterGuard original, FilterSettings settings, String scope) {
		this.settings = settings;
		this.scope = scope;
		this.gate = original.gate;
		this.lookup = original.lookup;
		this.writer = original.writer;
		this.format = original.format;
		this.filter = original.filter;
		this.sentinels = original.sentinels;
		this.jitter = original.jitter;
		this.rebuild = original.rebuild;
		this.listener = original.listener;
		this.handOver = original.handOver;
		this.probation = original.probation;
		this.limit = original.limit;
		this.auditor = original.auditor;
		this.alarm = original.alarm;
		this.passed = original.passed;
	}

	@Override
	public String name() {
		return this.settings.name();
	}

	@Override
	public GuardedFilter withEmptyTtl(Duration emptyTtl) {
		return new FilterGuard(this, this.settings.withEmptyTtl(emptyTtl), this.scope);
	}

	@Override
	public GuardedFilter scopedTo(String scope) {
		return new FilterGuard(this, this.settings, scope);
	}

	@Override
	public boolean mightContain(@Nullable Object key) {
		Verdict verdict = withEmptyTtl(Duration.ZERO).check(key);
		return verdict.membership() != Membership.ABSENT || this.settings.mode() != FilterMode.ENFORCE;
	}

	@Override
	public Membership membership(@Nullable Object key) {
		String form = this.lookup.form(key);
		return (form != null) ? this.lookup.await(form, this.gate.deadline()) : Membership.UNKNOWN;
	}

	@Override
	public Verdict check(@Nullable Object key) {
		String form = this.lookup.form(key);
		if (form == null) {
			return Verdict.UNKNOWN;
		}
		long epoch = this.filter.epoch();
		if (hasPassed(form, epoch)) {
			return tell(Verdict.maybe(epoch));
		}
		long deadline = this.gate.deadline();
		Verdict verdict = verdict(this.lookup.await(form, deadline), epoch);
		if (mayBeRemembered(verdict) && this.gate.await(remembered(form), false, deadline)) {
			verdict = Verdict.REMEMBERED;
		}
		if (verdict.membership() == Membership.MAYBE) {
			this.passed.add(form, epoch);
		}
		return tell(verdict);
	}

	/**
	 * Tell whether a key need not be asked for, because it has passed before. While the
	 * filter can't tell, it can't about this key either.
	 */
	private boolean hasPassed(String form, long epoch) {
		return !usesSentinels() && this.passed.contains(form, epoch) && this.filter.isAnswering();
	}

	@Override
	public CompletableFuture<Verdict> checkAsync(@Nullable Object key) {
		String form = this.lookup.form(key);
		if (form == null) {
			return CompletableFuture.completedFuture(Verdict.UNKNOWN);
		}
		long epoch = this.filter.epoch();
		long deadline = this.gate.deadline();
		CompletableFuture<Verdict> verdict = this.lookup.bounded(form, deadline)
			.thenApply((membership) -> verdict(membership, epoch))
			.thenCompose((decided) -> mayBeRemembered(decided)
					? this.gate.bounded(remembered(form), false, deadline)
						.thenApply((remembered) -> remembered ? Verdict.REMEMBERED : decided)
					: CompletableFuture.completedFuture(decided));
		return this.handOver.handOver(verdict, deadline).thenApply(this::tell);
	}

	@Override
	public Candidates possible(List<? extends @Nullable Object> keys) {
		return possible(new ManyKeys(keys, this.lookup, this.gate).ask());
	}

	@Override
	public CompletableFuture<Candidates> possibleAsync(List<? extends @Nullable Object> keys) {
		long deadline = this.gate.deadline();
		return this.handOver
			.handOver(new ManyKeys(keys, this.lookup, this.gate).askAsync(this.handOver.always()), deadline)
			.thenApply(this::possible);
	}

	@Override
	public @Nullable LoadPermit acquire(Verdict verdict) {
		if (this.limit == null || verdict.membership() != Membership.UNKNOWN) {
			return null;
		}
		LoadPermit permit = this.limit.acquire();
		if (permit == null) {
			this.listener.onRejected(name());
			throw new LoadRejectedException(name(), this.filter.state(), this.settings.maxConcurrentLoads());
		}
		return permit;
	}

	@Override
	public void loaded(@Nullable Object key, Verdict verdict, boolean empty) {
		if (key == null) {
			return;
		}
		if (verdict.membership() == Membership.ABSENT) {
			if (this.probation.isOver()) {
				if (!empty) {
					this.alarm.found(key);
				}
			}
			else if (empty) {
				this.probation.confirm(1);
			}
			else {
				this.probation.contradict(List.of(this.format.format(key)));
			}
		}
		if (verdict.membership() == Membership.MAYBE && empty) {
			this.listener.onFalsePositive(name());
			if (mayBeRemembered(verdict)) {
				Duration ttl = this.jitter.apply(this.settings.emptyTtl());
				RedisGate
					.attempt(() -> this.sentinels.remember(this.format.format(key), this.scope, ttl, verdict.epoch()));
			}
		}
	}

	@Override
	public void loaded(List<? extends @Nullable Object> keys, Candidates candidates, boolean empty) {
		BitSet absent = candidates.absent();
		if (absent.isEmpty() || this.probation.isOver()) {
			return;
		}
		if (empty) {
			this.probation.confirm(absent.cardinality());
		}
		else if (absent.cardinality() == keys.size()) {
			this.probation.contradict(keys.stream().filter(Objects::nonNull).map(this.format::format).toList());
		}
	}

	@Override
	public boolean isAudited(Verdict verdict) {
		return this.auditor != null && verdict.membership() == Membership.ABSENT && this.auditor.draws();
	}

	@Override
	public void audit(Object key, Loader<? extends CompletionStage<Boolean>, ?> call) {
		if (this.auditor != null) {
			this.auditor.audit(call, () -> this.alarm.found(key));
		}
	}

	/**
	 * Return how often the filter was wrong.
	 * @return the number, also of all filters that were made of this one
	 */
	public FalseNegatives falseNegatives() {
		return this.alarm.falseNegatives();
	}

	@Override
	public void unchecked() {
		tell(Verdict.UNKNOWN);
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
	public CompletableFuture<Void> rebuild() {
		return this.rebuild.get();
	}

	private Verdict verdict(Membership membership, long epoch) {
		return switch (membership) {
			case ABSENT -> isBelieved() ? Verdict.ABSENT : Verdict.SHADOWED;
			case MAYBE -> Verdict.maybe(epoch);
			case UNKNOWN -> Verdict.UNKNOWN;
		};
	}

	private boolean isBelieved() {
		return this.settings.mode() == FilterMode.ENFORCE && this.probation.isOver();
	}

	private boolean mayBeRemembered(Verdict verdict) {
		return verdict.membership() == Membership.MAYBE && usesSentinels();
	}

	private boolean usesSentinels() {
		return this.settings.mode() == FilterMode.ENFORCE && this.settings.emptyTtl().compareTo(Duration.ZERO) > 0;
	}

	private Verdict tell(Verdict verdict) {
		this.listener.onVerdict(name(), verdict);
		return verdict;
	}

	private Candidates possible(ManyKeys keys) {
		BitSet possible = new BitSet(keys.size());
		BitSet absent = new BitSet();
		boolean decided = true;
		for (int i = 0; i < keys.size(); i++) {
			Membership answer = keys.answer(i);
			Verdict verdict = (keys.form(i) != null) ? tell(verdict(answer, 0)) : Verdict.UNKNOWN;
			possible.set(i, !verdict.answered());
			absent.set(i, answer == Membership.ABSENT && !verdict.answered());
			decided &= keys.form(i) == null || answer != Membership.UNKNOWN;
		}
		return new Candidates(possible, absent,
				!decided ? Verdict.UNKNOWN : (possible.isEmpty() ? Verdict.ABSENT : Verdict.maybe(0)));
	}

	private CompletableFuture<Boolean> remembered(String form) {
		return this.gate.ask(() -> this.sentinels.contains(form, this.scope));
	}

}
