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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.SourceLookUps.LookUp;
import io.github.bloomguard.instance.FilterSnapshot;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Standing;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a filter calls absent with what there is.
 * <p>
 * At first all calls for absent keys go through. When so many were right, the filter is
 * believed, and so many absent answers a second are looked up at the source: behind the
 * answer, or before it, for which the call goes through as at first. In peace these are
 * all, under a flood a sample. What follows from what is found, {@link Findings} decides.
 */
final class Verification {

	private static final Answer<Boolean> STANDS = Answer.of(true);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private static final Duration LONGEST_CALL = Duration.ofSeconds(60);

	/**
	 * How long a caller waits for a look-up that no call of a method replaces.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

	private final FilterSettings settings;

	private final GenerationalFilter filter;

	private final FilterLookup lookup;

	private final SourceAnswers sources;

	private final AbsenceBarrier confirmation;

	private final AddedKeysListeners listeners;

	private final CallbackExecutor handOver;

	private final SourceLookUps lookUps;

	private final SourceLookUps afterLoads;

	private final SourceLookUps forCaches;

	private final Findings findings;

	/**
	 * @param confirmation passed when the change log has brought what was there before
	 */
	Verification(FilterSettings settings, GenerationalFilter filter, FilterLookup lookup, SourceAnswers sources,
			AbsenceBarrier confirmation, AddedKeysListeners listeners, Findings findings, CallbackExecutor handOver) {
		this.settings = settings;
		this.filter = filter;
		this.lookup = lookup;
		this.sources = sources;
		this.confirmation = confirmation;
		this.listeners = listeners;
		this.findings = findings;
		this.handOver = handOver;
		double rate = (settings.verification().mode() != Mode.OFF) ? settings.verification().rate() : 0;
		this.lookUps = new SourceLookUps(settings.name(), rate, handOver.always(), LONGEST_CALL);
		this.afterLoads = new SourceLookUps(settings.name(), 0, handOver.always(), LONGEST_CALL);
		this.forCaches = new SourceLookUps(settings.name(), 0, handOver.always(), LONGEST_CALL);
	}

	/**
	 * Draw whether an answer is one of those that are looked up before they are given.
	 */
	boolean drawBefore(FilterSnapshot snapshot) {
		return draw(snapshot, Mode.BEFORE);
	}

	/**
	 * Draw whether an answer is one of those that are looked up when they were given.
	 */
	boolean drawBehind(FilterSnapshot snapshot) {
		return draw(snapshot, Mode.BEHIND);
	}

	/**
	 * The rate needs no exact time: that of the snapshot costs nothing, and moves on
	 * twice a second.
	 */
	private boolean draw(FilterSnapshot snapshot, Mode mode) {
		return snapshot.standing().verification() == mode && this.lookUps.take(snapshot.readAt());
	}

	/**
	 * Have caches forget that a key was absent, before the call for it goes through that
	 * is to find out whether that is true.
	 */
	CompletableFuture<Void> forgetAbsence(Object key) {
		return this.listeners.areNone() ? DONE
				: DONE.thenRunAsync(() -> this.listeners.tell(List.of(key)), this.handOver.always());
	}

	/**
	 * Look up a key that is to be called absent, behind the answer. Another call for the
	 * same key waits for what is found, or for the deadline of a call.
	 * @param call finds out if no source can tell; {@code null} if there is none
	 * @param answered whether a call for it would still be answered with nothing
	 * @return {@code false} if there is such a row
	 */
	Answer<Boolean> verify(Object key, @Nullable Loader<? extends CompletionStage<Boolean>, ?> call,
			Function<Object, CompletableFuture<Boolean>> answered) {
		if (!this.lookup.isCertain(key)) {
			return STANDS;
		}
		LookUp lookUp = lookUp(key, call, answered);
		if (!lookUp.shared()) {
			return STANDS;
		}
		long deadline = this.lookup.deadline();
		CompletableFuture<Boolean> absent = lookUp.found()
			.thenCompose((told) -> told.orElse(false) ? forgetAbsence(key).handle((nothing, failure) -> false)
					: CompletableFuture.completedFuture(true))
			.completeOnTimeout(true, deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
			.exceptionally((failure) -> true);
		absent.thenAcceptBoth(lookUp.ended(), (stands, nothing) -> {
			// the row may have come since that was begun
			if (stands) {
				lookUp(key, call, answered);
			}
		});
		return Answer.from(absent).via((stands) -> this.handOver.handOver(stands, () -> deadline));
	}

	/**
	 * A key that is missing in the source is no evidence for a filter that was loaded
	 * from it.
	 */
	private LookUp lookUp(Object key, @Nullable Loader<? extends CompletionStage<Boolean>, ?> call,
			Function<Object, CompletableFuture<Boolean>> answered) {
		return start(key, call, (told) -> {
			if (told.orElse(false)) {
				return this.findings.found(key, false, answered);
			}
			if (told.isPresent() && this.filter.standing().proven()) {
				this.findings.notFound(Stream.of(key));
			}
			return DONE;
		});
	}

	private LookUp start(Object key, @Nullable Loader<? extends CompletionStage<Boolean>, ?> call,
			Function<Optional<Boolean>, CompletionStage<?>> consequence) {
		return this.lookUps.start(this.lookup.form(key), () -> {
			Optional<Boolean> told = this.sources.contains(key);
			if (told.isPresent() || call == null) {
				return CompletableFuture.completedFuture(told);
			}
			this.listeners.tell(List.of(key));
			return call.load().thenApply(Optional::of);
		}, consequence);
	}

	/**
	 * Look up a key at the source, and wait for it.
	 * @return {@code MAYBE} if there is such a row, {@code UNKNOWN} if that can't be told
	 */
	Membership lookUpAndConclude(Object key, Function<Object, CompletableFuture<Boolean>> answered) {
		return await(lookUp(key, null, answered));
	}

	/**
	 * Look up a key at the source, whatever the filter says of it, and wait for it.
	 */
	Membership lookUp(Object key) {
		return await(start(key, null, (told) -> DONE));
	}

	private static Membership await(LookUp lookUp) {
		return lookUp.found()
			.copy()
			.completeOnTimeout(Optional.empty(), LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionally((failure) -> Optional.empty())
			.join()
			.map((found) -> found ? Membership.MAYBE : Membership.ABSENT)
			.orElse(Membership.UNKNOWN);
	}

	/**
	 * Remember that a call has found nothing, unless the source has such a row: others
	 * may find it, and the one that makes it visible may tell nobody.
	 */
	void remember(Object key, Runnable sentinel) {
		if (this.sources.dependOnCaller()) {
			return;
		}
		if (!this.sources.canTell()) {
			sentinel.run();
			return;
		}
		LookUp lookUp = lookUpAfterLoad(this.afterLoads, key);
		if (!lookUp.shared()) {
			lookUp.found().thenAccept((told) -> {
				if (!told.orElse(false) && !this.sources.dependOnCaller()) {
					sentinel.run();
				}
			});
		}
	}

	/**
	 * Run an action if no row has a key for which a call has found nothing.
	 * @param calledAbsent counts where no source can tell
	 */
	void ifAbsent(Object key, boolean calledAbsent, Runnable action) {
		if (this.sources.canTell()) {
			lookUpAfterLoad(this.afterLoads, key).found().thenAccept((told) -> {
				if (!told.orElse(true)) {
					action.run();
				}
			});
		}
		else if (calledAbsent) {
			action.run();
		}
	}

	/**
	 * Return whether a cache may remember that a call has found nothing. A look-up that
	 * was under way already does not tell: the row may have come since it began.
	 */
	boolean confirmsAbsence(Object key) {
		if (this.sources.dependOnCaller()) {
			return false;
		}
		if (!this.sources.canTell()) {
			return true;
		}
		LookUp lookUp = lookUpAfterLoad(this.forCaches, key);
		return !lookUp.shared() && lookUp.found()
			.thenApply((told) -> !told.orElse(false) && !this.sources.dependOnCaller())
			.completeOnTimeout(false, this.lookup.deadline() - System.nanoTime(), TimeUnit.NANOSECONDS)
			.exceptionally((failure) -> false)
			.join();
	}

	private LookUp lookUpAfterLoad(SourceLookUps lookUps, Object key) {
		return lookUps.start(this.lookup.form(key), () -> CompletableFuture.completedFuture(this.sources.contains(key)),
				(told) -> DONE);
	}

	/**
	 * One of keys that were all called absent was found: an unproven filter is wrong.
	 * @param letThrough whether that was to be found out, so that they are few
	 */
	void anyFound(List<?> keys, boolean letThrough, Function<Object, CompletableFuture<Boolean>> answered) {
		Standing standing = this.filter.standing();
		if (!standing.settled()) {
			return;
		}
		if (!standing.proven()) {
			this.findings.examine(keys);
		}
		else if (this.sources.dependOnCaller()) {
			this.findings.add(keys);
		}
		else if (letThrough) {
			this.confirmation.pass().thenRunAsync(() -> {
				if (keys.stream().allMatch(this.sources::seeNone)) {
					this.findings.believeCallers();
					this.findings.add(keys);
				}
				else {
					keys.forEach((key) -> verify(key, null, answered));
				}
			}, this.handOver.always());
		}
		else {
			keys.forEach((key) -> verify(key, null, answered));
		}
	}

}
