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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.KeyPattern;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.LogText;
import io.github.bloomguard.logging.ThrottledLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Compares what a filter calls absent with what is found.
 * <p>
 * Until enough keys that it calls absent were looked for and not found, a filter is not
 * believed: calls for them go through. One whose sources give keys in another form than
 * calls do, or not all of them, is refuted then, before a wrong answer was given. A key
 * that is found later is a false negative: it is reported and added.
 * <p>
 * Concurrency: the filter counts the calls, for all instances. {@code examining} is set
 * by the thread that looks into a contradiction, and cleared when it is done.
 */
final class AbsenceVerifier {

	private static final Log logger = LogFactory.getLog(FilterGuard.class);

	private final ThrottledLog refutations = new ThrottledLog(FilterGuard.class);

	private final ThrottledLog falseNegatives = new ThrottledLog(FilterGuard.class);

	private final ThrottledLog failures = new ThrottledLog(FilterGuard.class);

	private final FilterSettings settings;

	private final GenerationalFilter filter;

	private final FilterLookup lookup;

	private final KeyWriter writer;

	private final FilterStatistics statistics;

	private final Executor executor;

	private final @Nullable Auditor auditor;

	private final AtomicBoolean examining = new AtomicBoolean();

	AbsenceVerifier(FilterSettings settings, GenerationalFilter filter, FilterLookup lookup, KeyWriter writer,
			FilterStatistics statistics, Executor executor) {
		this.settings = settings;
		this.filter = filter;
		this.lookup = lookup;
		this.writer = writer;
		this.statistics = statistics;
		this.executor = executor;
		this.auditor = Auditor.of(settings, executor);
	}

	boolean isBelieved(long epoch) {
		return this.settings.mode() == FilterMode.ENFORCE && isProven() && isSettledSince(epoch);
	}

	boolean isSettled() {
		return this.filter.probation().isSettled();
	}

	boolean isSettledSince(long epoch) {
		return this.filter.probation().isSettledSince(epoch);
	}

	boolean isProven() {
		return this.filter.probation().isPassed();
	}

	void notFound(Stream<?> keys) {
		if (!isProven()) {
			keys.forEach((key) -> this.filter.probation().notFound(this.lookup.canonical(key)));
		}
	}

	/**
	 * In a provisional generation, the key may have been added because it was found.
	 */
	void confirmed(Object key) {
		if (!isProven() && isSettled() && this.lookup.isCertain(key)) {
			this.filter.probation().found(this.lookup.canonical(key));
		}
	}

	void found(Object key) {
		if (!isSettled()) {
			addMissing(key);
		}
		else if (isProven()) {
			falseNegative(key);
		}
		else {
			contradict(List.of(key));
		}
	}

	/**
	 * One of keys that were all called absent was found: an unproven filter is wrong.
	 */
	void anyFound(List<?> keys) {
		if (isSettled() && !isProven()) {
			contradict(keys);
		}
	}

	private void contradict(List<?> keys) {
		List<String> forms = keys.stream().map(this.lookup::canonical).toList();
		if (!this.examining.compareAndSet(false, true)) {
			return;
		}
		Duration grace = this.settings.verification().grace();
		this.filter.clock().after(grace).thenCompose((nothing) -> this.lookup.bounded(forms)).thenAccept((answers) -> {
			if (answers.stream().allMatch(Membership.ABSENT::equals)) {
				refute(forms.get(0));
			}
		}).whenComplete((nothing, failure) -> this.examining.set(false));
	}

	private void refute(String form) {
		String name = this.settings.name();
		this.filter.refute()
			.thenAccept((shapes) -> shapes.ifPresent((loaded) -> LogFields.withFilter(name,
					() -> this.refutations.error(LogMessage.format("The filter '%s' called a key absent that was found,"
							+ " so it is not believed any more: calls go through until it is rebuilt or acknowledged."
							+ " The key looks like %s, those that were loaded like %s. Let the sources give keys as the"
							+ " methods are called with them", name, KeyPattern.of(form),
							loaded.isEmpty() ? "nothing, there were none" : loaded), null))));
	}

	boolean drawsAudit() {
		return this.auditor != null && this.auditor.draws();
	}

	void audit(Object key, Loader<? extends CompletionStage<Boolean>, ?> call) {
		if (this.auditor != null) {
			this.auditor.audit(call, () -> falseNegative(key));
		}
	}

	private void falseNegative(Object key) {
		if (!this.lookup.isCertain(key)) {
			return;
		}
		Membership here = this.lookup.here(key);
		CompletableFuture<Membership> asked = (here != Membership.UNKNOWN) ? CompletableFuture.completedFuture(here)
				: this.lookup.bounded(this.lookup.ask(this.lookup.canonical(key)), Membership.UNKNOWN,
						this.lookup.deadline());
		asked.thenAccept((answer) -> {
			if (answer == Membership.ABSENT) {
				this.statistics.falseNegative();
				LogFields.withFilter(this.settings.name(),
						() -> this.falseNegatives.error(LogMessage.format(
								"The filter '%s' called a key absent, and it was found. DEBUG tells the key",
								this.settings.name()), null));
				logger.debug(LogMessage.of(() -> "The filter '" + this.settings.name() + "' called the key '"
						+ LogText.of(key) + "' absent"));
				this.executor.execute(() -> add(key));
			}
		});
	}

	/**
	 * The row was inserted by an instance of before, which does not add keys.
	 */
	private void addMissing(Object key) {
		if (this.examining.compareAndSet(false, true)) {
			CompletableFuture.runAsync(() -> add(key), this.executor)
				.whenComplete((nothing, failure) -> this.examining.set(false));
		}
	}

	private void add(Object key) {
		try {
			this.writer.add(List.of(key));
		}
		catch (KeyNotAddedException ex) {
			LogFields.withFilter(this.settings.name(), () -> this.failures.error(
					LogMessage.format("A key that was found is still missing in the filter '%s'", this.settings.name()),
					ex));
		}
	}

}
