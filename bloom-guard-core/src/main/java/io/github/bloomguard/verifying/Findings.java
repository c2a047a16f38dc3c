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

package io.github.bloomguard.verifying;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.adding.KeyWriter;
import io.github.bloomguard.deciding.FilterLookup;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.KeyShape;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Standing;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.LogText;
import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.statistics.FilterStatistics;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.log.LogMessage;

/**
 * Concludes from what calls and look-ups have found.
 * <p>
 * A row that is found although its key is called absent means that something writes rows
 * of which the filter is not told, or that it was loaded without some. So not only the
 * key is added: for a while absent answers are looked up before they are given, in all
 * instances, and the keys are loaded again. Calls go through until then if the filter has
 * not proven itself yet.
 * <p>
 * A row can be found before its key has come: the filter is asked again when the change
 * log or the catch-up had time to bring it, and the source, too, because the row may be
 * gone, and its key with it.
 * <p>
 * Concurrency: the filter counts the calls, for all instances. {@code examining} is set
 * by the thread that looks into a contradiction, and cleared when it is done.
 */
public final class Findings {

	private static final Log logger = LogFactory.getLog(Findings.class);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private final ThrottledLog refutations = new ThrottledLog(Findings.class);

	private final ThrottledLog believedCallers = new ThrottledLog(Findings.class);

	private final ThrottledLog falseNegatives = new ThrottledLog(Findings.class);

	private final ThrottledLog failures = new ThrottledLog(Findings.class);

	private final FilterSettings settings;

	private final GenerationalFilter filter;

	private final FilterLookup lookup;

	private final SourceAnswers sources;

	private final AbsenceBarrier confirmation;

	private final KeyWriter writer;

	private final FilterStatistics statistics;

	private final Executor executor;

	private final AtomicBoolean examining = new AtomicBoolean();

	/**
	 * @param confirmation passed when the change log has brought what was there before
	 */
	public Findings(FilterSettings settings, GenerationalFilter filter, FilterLookup lookup, SourceAnswers sources,
			AbsenceBarrier confirmation, KeyWriter writer, FilterStatistics statistics, Executor executor) {
		this.settings = settings;
		this.filter = filter;
		this.lookup = lookup;
		this.sources = sources;
		this.confirmation = confirmation;
		this.writer = writer;
		this.statistics = statistics;
		this.executor = executor;
	}

	public void notFound(Stream<?> keys) {
		if (this.filter.standing().proven()) {
			keys.forEach((key) -> this.statistics.lookedUp());
		}
		else {
			keys.forEach((key) -> this.filter.evidence().noteAbsent(this.lookup.form(key)));
		}
	}

	/**
	 * Note a found key as a proof, but not while the filter settles: it may have been
	 * added because it was found.
	 */
	public void confirmed(Object key) {
		Standing standing = this.filter.standing();
		if (!standing.proven() && standing.settled() && this.lookup.isCertain(key)) {
			this.filter.evidence().noteFound(this.lookup.form(key));
		}
	}

	/**
	 * There is a row of a key that was called absent.
	 * @param seen whether a caller has seen it
	 * @param answered whether a call for it would still be answered with nothing
	 * @return completes when what follows has been done
	 */
	public CompletableFuture<Void> found(Object key, boolean seen,
			Function<Object, CompletableFuture<Boolean>> answered) {
		Standing standing = this.filter.standing();
		if (this.filter.owner() != null && !(standing.settled() && standing.proven())) {
			// its owner finds that out
			return DONE;
		}
		if (!standing.settled() || (!standing.proven() && hasUnseenWriters())) {
			addMissing(key);
		}
		else if (standing.proven()) {
			this.statistics.lookedUp();
			return correct(key, seen, answered);
		}
		else {
			examine(List.of(key));
		}
		return DONE;
	}

	/**
	 * Examine an unproven filter, which has called all of these keys absent, of which a
	 * call has found one. It is wrong if it still does, unless the sources see none of
	 * them either.
	 */
	void examine(List<?> keys) {
		if (hasUnseenWriters() || this.filter.owner() != null) {
			return;
		}
		List<String> forms = keys.stream().map(this.lookup::form).toList();
		if (!this.examining.compareAndSet(false, true)) {
			return;
		}
		this.filter.clock()
			.after(this.settings.verification().grace())
			.thenCompose((nothing) -> this.confirmation.pass())
			.thenCompose((passed) -> passed ? this.lookup.bounded(forms)
					: CompletableFuture.completedFuture(List.of(Membership.UNKNOWN)))
			.thenAcceptAsync((answers) -> {
				if (!answers.stream().allMatch(Membership.ABSENT::equals)) {
					return;
				}
				if (keys.stream().allMatch(this.sources::seeNone)) {
					believeCallers();
				}
				else {
					refute(forms.get(0));
				}
			}, this.executor)
			.whenComplete((nothing, failure) -> this.examining.set(false));
	}

	private void refute(String form) {
		String name = this.settings.name();
		this.filter.evidence().noteWrong(form);
		this.filter.refresh();
		this.filter.shapes()
			.exceptionally((failure) -> Optional.of("what could not be read"))
			.thenAccept((shapes) -> shapes.ifPresent((loaded) -> LogFields.withFilter(name, () -> this.refutations
				.error(LogMessage.format("The filter '%s' called a key absent that was found,"
						+ " before it had proven itself. Calls go through until it is loaded again, which happens by"
						+ " itself, and then it has to prove itself anew. The key looks like %s, those that were"
						+ " loaded like %s. Let the sources give keys as the methods are called with them", name,
						KeyShape.of(form), loaded.isEmpty() ? "nothing, there were none" : loaded), null))));
	}

	/**
	 * Return whether rows may come that no writer shows. One that is found is then no
	 * fault of the filter.
	 */
	private boolean hasUnseenWriters() {
		return this.filter.standing().required().unseenWriters() != null;
	}

	/**
	 * Correct a believed filter, which calls the key of a row absent that was found. What
	 * a catch-up was to bring later is only added, so is what may have come unseen, and
	 * what only the caller sees: the row may be gone.
	 * @param seen whether a caller has seen it
	 */
	private CompletableFuture<Void> correct(Object key, boolean seen,
			Function<Object, CompletableFuture<Boolean>> answered) {
		if (!this.lookup.isCertain(key)) {
			return DONE;
		}
		return this.confirmation.pass().thenComposeAsync((passed) -> answered.apply(key).thenAcceptAsync((still) -> {
			if (still && !this.sources.seeNone(key)) {
				if (passed && this.settings.verification().grace().isZero() && !hasUnseenWriters()) {
					wrong(key);
				}
				add(List.of(key));
				this.filter.refresh();
			}
			else if (still && seen) {
				believeCallers();
				add(List.of(key));
			}
		}, this.executor), this.executor);
	}

	/**
	 * Believe callers alone for as long as a filter is doubted that was wrong, in all
	 * instances, because one has found a row that no source has.
	 */
	void believeCallers() {
		String name = this.settings.name();
		this.filter.evidence().noteCallersOnly();
		LogFields.withFilter(name, () -> this.believedCallers.warn(LogMessage.format(
				"A call has found a row that the source of the filter '%s' does not have. So for 10 minutes only calls"
						+ " verify absent answers, and none is remembered. If what is there depends on the caller, as on"
						+ " a tenant or a role, let the source see the rows of all of them",
				name), null));
	}

	private void wrong(Object key) {
		String name = this.settings.name();
		String form = this.lookup.form(key);
		this.statistics.falseNegative();
		this.filter.evidence().noteWrong(form);
		String owner = this.filter.owner();
		String consequence = (owner != null) ? String.format(
				"Its owner, the application '%s', is told, and loads it again; for 10 minutes all instances of both look"
						+ " absent answers up before they are given. Find the program that writes rows without adding"
						+ " their keys, or let this application ask with the keys that its owner loads",
				owner)
				: "It is added, the filter is loaded again, and for 10 minutes absent answers are looked up before they"
						+ " are given. Find the program that writes rows without adding their keys";
		LogFields.withFilter(name,
				() -> this.falseNegatives.error(LogMessage.format(
						"The filter '%s' called a key absent, and there is"
								+ " such a row. The key looks like %s (DEBUG tells it). %s",
						name, KeyShape.of(form), consequence), null));
		logger.debug(LogMessage.of(() -> "The filter '" + name + "' called the key '" + LogText.of(key) + "' absent"));
	}

	/**
	 * Add the key of a row that may rightly be missing: an older instance has inserted
	 * it, or a writer that is not seen.
	 */
	private void addMissing(Object key) {
		if (this.examining.compareAndSet(false, true)) {
			DONE.thenRunAsync(() -> add(List.of(key)), this.executor)
				.whenComplete((nothing, failure) -> this.examining.set(false));
		}
	}

	/**
	 * Add keys of rows that were found.
	 */
	void add(List<?> keys) {
		if (this.filter.owner() != null) {
			// it is told, and loads the filter again
			return;
		}
		try {
			this.writer.add(keys);
		}
		catch (KeyNotAddedException ex) {
			LogFields.withFilter(this.settings.name(), () -> this.failures.error(
					LogMessage.format("A key that was found is still missing in the filter '%s'", this.settings.name()),
					ex));
		}
	}

}
