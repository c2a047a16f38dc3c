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

package io.github.bloomguard.advisor;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.result.ResultContent;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.util.function.SingletonSupplier;

/**
 * Results of the loads of one method since the application started.
 * <p>
 * Concurrency: counters and sketches are written by all threads that load. The thread
 * that moves {@code due} replaces the period, and looks whether there is something to
 * advise.
 */
public final class ObservedMethod {

	private static final long PERIOD = Duration.ofSeconds(10).toNanos();

	private static final long WORTH = 1000;

	private static final double WORTH_SHARE = 0.1;

	private final Map<LoadOutcome, Loads> loads = new EnumMap<>(LoadOutcome.class);

	private final LongSupplier clock;

	private final AtomicLong due;

	private final ThrottledLog advice = new ThrottledLog(ObservedMethod.class);

	private final AtomicBoolean advised = new AtomicBoolean();

	private final LookUp lookUp;

	private final List<String> caches;

	private final @Nullable String watchedBy;

	private final KnownFilters filters;

	private final AnnotationCheck check;

	private final Supplier<Map<String, String>> source;

	private volatile Period period;

	private final Map<Class<?>, LongAdder> missing = new ConcurrentHashMap<>();

	ObservedMethod(LookUp lookUp, List<String> caches, @Nullable String watchedBy, KnownFilters filters,
			AnnotationCheck check, LongSupplier clock) {
		this.lookUp = lookUp;
		this.caches = caches;
		this.watchedBy = watchedBy;
		this.filters = filters;
		this.check = check;
		this.clock = clock;
		this.period = new Period(clock.getAsLong(), 0, 0);
		this.due = new AtomicLong(this.period.start + PERIOD);
		this.source = SingletonSupplier.of(() -> filters.suggestSource(lookUp));
		for (LoadOutcome outcome : LoadOutcome.values()) {
			this.loads.put(outcome, new Loads());
		}
	}

	LookUp lookUp() {
		return this.lookUp;
	}

	public String type() {
		return this.lookUp.type().getName();
	}

	public String name() {
		return this.lookUp.method().name();
	}

	public List<String> caches() {
		return this.caches;
	}

	public @Nullable String watchedBy() {
		return this.watchedBy;
	}

	public long count(LoadOutcome outcome) {
		return loads(outcome).count.sum();
	}

	public Duration time(LoadOutcome outcome) {
		return Duration.ofNanos(loads(outcome).nanos.sum());
	}

	public long keys(LoadOutcome outcome) {
		return loads(outcome).keys.estimate();
	}

	public double emptyShare() {
		long all = count();
		return (all == 0) ? 0 : (double) count(LoadOutcome.EMPTY) / all;
	}

	public double emptyPerSecond() {
		Period period = this.period;
		long now = this.clock.getAsLong();
		return (now - period.start < PERIOD && period.rateBefore > 0) ? period.rateBefore : rate(period, now);
	}

	public boolean isWorthFilter() {
		return count(LoadOutcome.EMPTY) >= WORTH && emptyShare() >= WORTH_SHARE;
	}

	public Suggestion suggestion() {
		long found = keys(LoadOutcome.FOUND);
		return (this.watchedBy != null) ? Suggestion.enforce(this.watchedBy, found, this.filters) : Suggestion
			.filter(this.lookUp, this.caches, found, missing(), this.source.get(), this.filters, this.check);
	}

	/**
	 * Return the exception that most of the loads have thrown that found nothing: a
	 * caller chooses the key of one.
	 */
	private @Nullable Class<?> missing() {
		long empty = count(LoadOutcome.EMPTY);
		return this.missing.entrySet()
			.stream()
			.filter((thrown) -> 2 * thrown.getValue().sum() > empty)
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
	}

	void returned(@Nullable Object[] arguments, @Nullable Object result, long start) {
		boolean empty = ResultContent.of(result) == ResultContent.EMPTY;
		ended(empty ? LoadOutcome.EMPTY : LoadOutcome.FOUND, arguments, start);
	}

	void failed(@Nullable Object[] arguments, Throwable failure, long start) {
		LoadOutcome outcome = LoadOutcome.of(failure);
		if (outcome == LoadOutcome.EMPTY && failure instanceof RuntimeException) {
			this.missing.computeIfAbsent(failure.getClass(), (type) -> new LongAdder()).increment();
		}
		ended(outcome, arguments, start);
	}

	private void ended(LoadOutcome outcome, @Nullable Object[] arguments, long start) {
		long now = this.clock.getAsLong();
		loads(outcome).add(now - start, this.lookUp.hashCodeOfKey(arguments));
		long due = this.due.get();
		if (now - due >= 0 && this.due.compareAndSet(due, now + PERIOD)) {
			look(now);
		}
	}

	private void look(long now) {
		this.period = new Period(now, count(LoadOutcome.EMPTY), rate(this.period, now));
		if (isWorthFilter() && this.advised.compareAndSet(false, true)) {
			this.advice.info(LogMessage.format("%s", this));
		}
	}

	private double rate(Period period, long now) {
		return (count(LoadOutcome.EMPTY) - period.emptyBefore) / Math.max(1e-9 * (now - period.start), 1e-3);
	}

	private Loads loads(LoadOutcome outcome) {
		return Objects.requireNonNull(this.loads.get(outcome));
	}

	@Override
	public String toString() {
		Suggestion suggestion = suggestion();
		return String.format(Locale.ROOT,
				"%s: %.0f %% of %,d loads found nothing, %,.0f a second, for about %,d different keys; a filter of %.1f MB"
						+ " would spare them, once it has settled and proven itself: %s",
				this.lookUp.name(), 100 * emptyShare(), count(), emptyPerSecond(), keys(LoadOutcome.EMPTY),
				suggestion.sizeInBytes() / 1e6, suggestion);
	}

	private long count() {
		return this.loads.values().stream().mapToLong((loads) -> loads.count.sum()).sum();
	}

	private record Period(long start, long emptyBefore, double rateBefore) {

	}

	private static final class Loads {

		private final LongAdder count = new LongAdder();

		private final LongAdder nanos = new LongAdder();

		private final HyperLogLog keys = new HyperLogLog();

		void add(long nanos, int hashCode) {
			this.count.increment();
			this.nanos.add(nanos);
			this.keys.add(hashCode);
		}

	}

}
