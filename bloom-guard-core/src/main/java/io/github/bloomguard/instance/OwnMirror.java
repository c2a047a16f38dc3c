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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.bloomguard.filter.FilterCopy;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.ControlStore.Renewal;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.instance.Mirror.JournalPart;
import io.github.bloomguard.instance.Mirror.Progress;
import io.github.bloomguard.instance.Mirrors.Refreshed;
import io.github.bloomguard.logging.FailureDescription;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Keeps this instance's mirror of one filter:
 * <ol>
 * <li>receive messages</li>
 * <li>become a holder: from now on, adds wait for this mirror, which takes their keys,
 * though it does not answer yet</li>
 * <li>copy the bits; they only grow, so the pieces may be of different moments</li>
 * <li>read the journal with each refresh, from <em>before (2) - longest add</em> on: a
 * writer that appended a key earlier has written its bits before (3)</li>
 * <li>answer under the snapshot of a refresh that has read the journal and is
 * trusted</li>
 * </ol>
 * Concurrency: {@code current} holds the one incarnation that there is. What is done for
 * an incarnation later on is done to that one, though it may have ended.
 */
final class OwnMirror {

	private static final Log logger = LogFactory.getLog(OwnMirror.class);

	private static final String TOO_LARGE = "it is larger than mirror.max-memory";

	private static final int PAGE = 1000;

	private static final int MEGABYTE = 1 << 20;

	private static final Duration PAUSE = Duration.ofSeconds(5);

	/**
	 * By how much the time of day may be set without being taken for the end of a sleep.
	 */
	private static final Duration JUMP = Duration.ofMillis(500);

	private final ThrottledLog failures = new ThrottledLog(OwnMirror.class);

	private final ControlStore control;

	private final FilterSettings settings;

	private final Supplier<CompletableFuture<Void>> messages;

	private final MonotonicClock clock;

	private final Runnable renewal;

	private final AtomicReference<@Nullable Mirror> current = new AtomicReference<>();

	private volatile boolean copyable = true;

	private volatile boolean closed;

	private volatile @Nullable String problem;

	private volatile @Nullable Long failedAt;

	private volatile @Nullable Duration behind;

	OwnMirror(ControlStore control, FilterSettings settings, Supplier<CompletableFuture<Void>> messages,
			MonotonicClock clock, Runnable renewal) {
		this.control = control;
		this.settings = settings;
		this.messages = messages;
		this.clock = clock;
		this.renewal = renewal;
	}

	boolean isUsed() {
		return !this.closed && this.copyable && this.settings.mirrorMemory() > 0;
	}

	@Nullable Mirror current() {
		return this.current.get();
	}

	@Nullable String problem() {
		return this.problem;
	}

	void endIfSlept() {
		if (hasSlept()) {
			end("the clock has jumped");
		}
	}

	/**
	 * Do what a refresh does that finds nothing new in the journal.
	 */
	void unchanged(Mirror mirror, long now) {
		Progress progress = mirror.progress();
		if (progress != null) {
			mirror.moveOver(new JournalPart(progress.position(), progress.position(), List.of()), now);
		}
	}

	CompletableFuture<Refreshed> refresh(Evidence evidence) {
		endIfSlept();
		Mirror mirror = this.current.get();
		Progress progress = (mirror != null) ? mirror.progress() : null;
		if (mirror == null || progress == null) {
			return this.control.refresh(evidence).thenApply((record) -> new Refreshed(record, null));
		}
		return this.control.refresh(evidence, mirror.holder(), progress.position()).thenCompose((renewal) -> {
			if (!renewal.listed()
					|| !progress.isContinuedIn(renewal.record(), this.settings.adding().journalRetention())) {
				end(mirror, "it was out of touch for too long");
				return CompletableFuture.completedFuture(new Refreshed(renewal.record(), null));
			}
			return apply(mirror, progress, renewal).thenApply((nothing) -> new Refreshed(renewal.record(), mirror));
		});
	}

	/**
	 * Return whether the clock that leases are measured by stood still since the last
	 * refresh, so that adds have not waited for long enough.
	 */
	private boolean hasSlept() {
		Duration former = this.behind;
		Duration now = this.clock.behindTimeOfDay();
		this.behind = now;
		return former != null && now.minus(former).abs().compareTo(JUMP) > 0;
	}

	/**
	 * Add what the journal has. If that was news, a message got lost, and an add waits.
	 */
	private CompletableFuture<Void> apply(Mirror mirror, Progress progress, Renewal renewal) {
		Set<String> removed = new HashSet<>();
		boolean news = apply(mirror, renewal.page(), removed);
		CompletableFuture<JournalPosition> last = renewal.more() ? applyRest(mirror, renewal.page().last(), removed)
				: CompletableFuture.completedFuture(JournalPosition.of(renewal.page().last()));
		return last.thenAccept((position) -> {
			boolean moved = !progress.position().covers(position);
			mirror.moveOver(
					new JournalPart(progress.position(), moved ? position : progress.position(), List.copyOf(removed)),
					renewal.record().now());
			if (moved && (news || renewal.more())) {
				this.control.channel().announce(mirror.holder(), position);
			}
		});
	}

	private CompletableFuture<JournalPosition> applyRest(Mirror mirror, String after, Set<String> removed) {
		return this.control.journal(after, PAGE, mirror.holder()).thenCompose((page) -> {
			apply(mirror, page, removed);
			return page.last().isEmpty() ? CompletableFuture.completedFuture(JournalPosition.of(after))
					: applyRest(mirror, page.last(), removed);
		});
	}

	private static boolean apply(Mirror mirror, JournalPage page, Set<String> removed) {
		page.keys().forEach(removed::remove);
		removed.addAll(page.removed());
		return mirror.add(page.keys());
	}

	void follow(@Nullable ActiveGeneration active) {
		Mirror former = this.current.get();
		if (former != null && (active == null || !former.isOf(active.generation()))) {
			end(former, "another generation is active, or none");
		}
		if (active != null && isUsed() && this.current.get() == null) {
			make(active);
		}
	}

	private void make(ActiveGeneration active) {
		long size = Mirror.sizeOf(active.generation());
		if (size > this.settings.mirrorMemory()) {
			if (!TOO_LARGE.equals(this.problem)) {
				LogFields.withFilter(this.settings.name(), () -> logger.warn(tooLarge(size)));
			}
			this.problem = TOO_LARGE;
			return;
		}
		Long failedAt = this.failedAt;
		if (failedAt != null && this.clock.nanoTime() - failedAt < PAUSE.toNanos()) {
			return;
		}
		Optional<FilterCopy> bits;
		try {
			bits = active.filter().copy(active.generation().salt());
		}
		catch (OutOfMemoryError ex) {
			this.failedAt = this.clock.nanoTime();
			this.problem = "there is no memory for it";
			warn(active.generation(),
					LogMessage.format("There is no memory for a mirror of %s", active.generation().bits()), ex);
			return;
		}
		if (bits.isEmpty()) {
			this.copyable = false;
			this.problem = "a filter of this type can't be copied, so it is asked where it is";
			return;
		}
		Mirror mirror = new Mirror(LeaseHolder.next(this.control.channel().instance(), this.control.isOfReader()),
				active.generation(), bits.get());
		if (this.current.compareAndSet(null, mirror)) {
			fill(mirror, active.generation(), bits.get());
		}
	}

	private String tooLarge(long size) {
		String property = "bloom-guard.filters." + this.settings.name() + ".mirror.";
		return String.format(Locale.ROOT,
				"The filter '%s' takes %,d bytes, and %smax-memory is %,d bytes, so this instance has no mirror of it:"
						+ " each call asks the server where the filter is kept, which is many times slower. Set"
						+ " %smax-memory to at least %dMB, or %senabled to false if that is meant",
				this.settings.name(), size, property, this.settings.mirrorMemory(), property, (size - 1) / MEGABYTE + 1,
				property);
	}

	private void fill(Mirror mirror, Generation generation, FilterCopy bits) {
		this.messages.get()
			.thenCompose((nothing) -> this.control.acquireMirrorLease(mirror.holder()))
			.thenCompose((lease) -> {
				mirror.leased(lease, this.settings.adding().longest());
				return bits.load();
			})
			.whenComplete((sealed, failure) -> {
				if (failure != null && !isUsed()) {
					end(mirror, "the application is closing");
				}
				else if (failure != null) {
					String reason = FailureDescription.of(failure);
					this.failedAt = this.clock.nanoTime();
					warn(generation, LogMessage.format("A mirror of %s could not be made, so Redis is asked: %s",
							mirror, reason), null);
					end(mirror, "it could not be made: " + reason);
				}
				else if (!sealed) {
					end(mirror, "the filter is not intact");
				}
				else {
					this.problem = null;
					mirror.copied();
					this.renewal.run();
				}
			});
	}

	private void warn(Generation of, CharSequence message, @Nullable Throwable failure) {
		LogFields.withFilter(of.specification().filter(), () -> this.failures.warn(message, failure));
	}

	private void end(String reason) {
		Mirror mirror = this.current.get();
		if (mirror != null) {
			end(mirror, reason);
		}
	}

	void end(Mirror mirror, String reason) {
		mirror.end();
		if (this.current.compareAndSet(mirror, null)) {
			this.problem = reason;
			leave(mirror);
		}
	}

	/**
	 * Release the lease first: adders of later keys then do not find the mirror, and
	 * those that have found it wait already when the message comes.
	 */
	private CompletableFuture<Void> leave(Mirror mirror) {
		return this.control.releaseMirrorLease(mirror.holder())
			.thenCompose((nothing) -> this.control.channel().announceEnd(mirror.holder()));
	}

	void open() {
		this.closed = false;
	}

	CompletableFuture<Void> close() {
		this.closed = true;
		Mirror mirror = this.current.getAndSet(null);
		if (mirror == null) {
			return CompletableFuture.completedFuture(null);
		}
		mirror.end();
		return leave(mirror);
	}

}
