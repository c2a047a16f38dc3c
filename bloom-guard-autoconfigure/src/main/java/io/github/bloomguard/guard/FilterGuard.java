package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.Candidates;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.GuardedFilter;
import io.github.bloomguard.LoadPermit;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
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

	private final Executor executor;

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
	 * @param nullEntries clears the null entry of a Spring cache, given its name and the
	 * key
	 * @param rebuild starts a rebuild
	 * @param listener is told what is decided
	 * @param executor runs what follows an asynchronous answer; may be blocked
	 */
	public FilterGuard(FilterSettings settings, Duration addTimeout, KeyFormat format, GenerationalFilter filter,
			RedisGate gate, EmptySentinels sentinels, UnaryOperator<Duration> jitter,
			BiConsumer<String, Object> nullEntries, Supplier<CompletableFuture<Void>> rebuild,
			BloomGuardListener listener, Executor executor) {
		this.settings = settings;
		this.scope = "";
		this.gate = gate;
		this.lookup = new FilterLookup(settings.mode() != FilterMode.OFF, format, filter, gate);
		this.writer = new KeyWriter(settings, addTimeout, format, filter, sentinels, nullEntries, listener);
		this.format = format;
		this.filter = filter;
		this.sentinels = sentinels;
		this.jitter = jitter;
		this.rebuild = rebuild;
		this.listener = listener;
		this.executor = executor;
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
		this.executor = original.executor;
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
	public Membership membership(@Nullable Object key) {
		String form = this.lookup.form(key);
		return (form != null) ? this.gate.await(this.lookup.ask(form), Membership.UNKNOWN, this.gate.deadline())
				: Membership.UNKNOWN;
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
		Verdict verdict = verdict(this.gate.await(this.lookup.ask(form), Membership.UNKNOWN, deadline), epoch);
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
		return !usesSentinels() && this.passed.contains(form, epoch) && this.filter.state() == FilterState.READY;
	}

	@Override
	public CompletableFuture<Verdict> checkAsync(@Nullable Object key) {
		String form = this.lookup.form(key);
		if (form == null) {
			return CompletableFuture.completedFuture(Verdict.UNKNOWN);
		}
		long epoch = this.filter.epoch();
		return this.gate.bounded(this.lookup.ask(form), Membership.UNKNOWN)
			.thenApply((membership) -> verdict(membership, epoch))
			.thenCompose((verdict) -> mayBeRemembered(verdict)
					? this.gate.bounded(remembered(form), false)
						.thenApply((remembered) -> remembered ? Verdict.REMEMBERED : verdict)
					: CompletableFuture.completedFuture(verdict))
			.thenApplyAsync(this::tell, this.executor);
	}

	@Override
	public Candidates possible(List<? extends @Nullable Object> keys) {
		List<@Nullable String> forms = this.lookup.forms(keys);
		List<String> asked = FilterLookup.asked(forms);
		return possible(forms,
				this.gate.await(this.lookup.ask(asked), FilterLookup.unknown(asked), this.gate.deadline()));
	}

	@Override
	public CompletableFuture<Candidates> possibleAsync(List<? extends @Nullable Object> keys) {
		List<@Nullable String> forms = this.lookup.forms(keys);
		List<String> asked = FilterLookup.asked(forms);
		return this.gate.bounded(this.lookup.ask(asked), FilterLookup.unknown(asked))
			.thenApplyAsync((answers) -> possible(forms, answers), this.executor);
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
		if (verdict.membership() == Membership.ABSENT && !empty) {
			this.alarm.found(key);
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
	public CompletableFuture<Void> rebuild() {
		return this.rebuild.get();
	}

	private Verdict verdict(Membership membership, long epoch) {
		return switch (membership) {
			case ABSENT -> (this.settings.mode() == FilterMode.ENFORCE) ? Verdict.ABSENT : Verdict.SHADOWED;
			case MAYBE -> Verdict.maybe(epoch);
			case UNKNOWN -> Verdict.UNKNOWN;
		};
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

	private Candidates possible(List<@Nullable String> forms, List<Membership> answers) {
		BitSet possible = new BitSet(forms.size());
		int answer = 0;
		for (int i = 0; i < forms.size(); i++) {
			possible.set(i, forms.get(i) == null || !tell(verdict(answers.get(answer++), 0)).answered());
		}
		return new Candidates(possible, answers.contains(Membership.UNKNOWN) ? Verdict.UNKNOWN
				: (possible.isEmpty() ? Verdict.ABSENT : Verdict.maybe(0)));
	}

	private CompletableFuture<Boolean> remembered(String form) {
		return this.gate.ask(() -> this.sentinels.contains(form, this.scope));
	}

}
