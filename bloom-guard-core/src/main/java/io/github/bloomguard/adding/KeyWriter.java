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

package io.github.bloomguard.adding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.AddFailure;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeySpellings;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.TooManyKeysException;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.statistics.FilterStatistics;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.util.StringUtils;

/**
 * Adds keys to one filter, and forgets everywhere that they were absent.
 */
public final class KeyWriter {

	static final long NOT_ADDED = -1;

	private final ThrottledLog failedCommits = new ThrottledLog(KeyWriter.class);

	private final ThrottledLog choice = new ThrottledLog(KeyWriter.class);

	private final AtomicBoolean choiceTold = new AtomicBoolean();

	private final FilterSettings settings;

	private final KeyFormat format;

	private final GenerationalFilter filter;

	private final AddedKeysListeners listeners;

	private final FilterStatistics statistics;

	public KeyWriter(FilterSettings settings, KeyFormat format, GenerationalFilter filter, AddedKeysListeners listeners,
			FilterStatistics statistics) {
		this.settings = settings;
		this.format = format;
		this.filter = filter;
		this.listeners = listeners;
		this.statistics = statistics;
	}

	String name() {
		return this.settings.name();
	}

	MonotonicClock clock() {
		return this.filter.clock();
	}

	/**
	 * Return keys, {@code null} for one of which a part is {@code null}.
	 */
	List<@Nullable Object> known(Collection<? extends @Nullable Object> keys) {
		List<@Nullable Object> known = new ArrayList<>(keys.size());
		keys.forEach((key) -> known.add((key != null && this.format.isComplete(key)) ? key : null));
		return known;
	}

	public void add(Collection<? extends @Nullable Object> keys) {
		KeysInTransaction transaction = KeysInTransaction.ofThread(this);
		if (transaction != null) {
			transaction.add(keys);
		}
		else {
			end(begin(keys, KeysInTransaction.NOTHING_BEFORE));
		}
	}

	/**
	 * Begin to add keys, without waiting.
	 * @param before has to be over before they are sent; if it fails, they are not
	 */
	Addition begin(Collection<? extends @Nullable Object> keys, CompletableFuture<?> before) {
		Map<String, Object> added = byForm(keys);
		return new Addition(added, clock().nanoTime(), before.thenCompose((over) -> send(added)));
	}

	/**
	 * Wait until keys are added.
	 * @return their epoch, {@link #NOT_ADDED} if the filter is mistrusted instead
	 * @throws KeyNotAddedException if Redis did not take the keys, and that is to fail
	 */
	long end(Addition addition) {
		Map<String, Object> keys = addition.keys();
		if (keys.isEmpty()) {
			return Long.MAX_VALUE;
		}
		this.statistics.adding(keys.size());
		long epoch = endOrMistrust(keys, addition.epoch());
		if (epoch != NOT_ADDED) {
			this.statistics.added(keys.size());
		}
		return epoch;
	}

	KeysInTransaction transactionalKeys() {
		return new KeysInTransaction(this, this.settings.adding().longestTransaction());
	}

	long writeOrMistrust(Map<String, Object> keys) {
		return endOrMistrust(keys, send(keys));
	}

	private CompletableFuture<Long> send(Map<String, Object> keys) {
		return Attempt.of(() -> this.filter.add(forms(keys)));
	}

	private long endOrMistrust(Map<String, Object> keys, CompletableFuture<Long> sent) {
		try {
			// in this order: once a key is known as added, its absence is not remembered
			// anew
			long epoch = awaitWrite(sent, this.settings.adding().longest());
			this.listeners.tell(keys);
			return epoch;
		}
		catch (KeyNotAddedException ex) {
			failOrMistrust(keys.size(), ex);
			return NOT_ADDED;
		}
	}

	private void failOrMistrust(int keys, KeyNotAddedException failure) {
		this.statistics.notAdded(keys, failure);
		if (this.settings.adding().failure() == AddFailure.FAIL) {
			tellChoice(failure);
			throw failure;
		}
		this.filter.mistrust(
				"a key could not be added: " + ((failure.getCause() != null) ? failure.getCause() : "it is null"));
	}

	/**
	 * Say once what a failure leads to, and what else it could lead to: each call that
	 * fails has an exception that says so.
	 */
	private void tellChoice(KeyNotAddedException failure) {
		Throwable cause = failure.getCause();
		if (cause != null && this.choiceTold.compareAndSet(false, true)) {
			LogFields.withFilter(name(), () -> this.choice.error(LogMessage.format(
					"A key could not be added to the filter '%1$s', so the call fails, and its transaction is rolled"
							+ " back. So it is for each such row until this works again: none is committed that the"
							+ " filter lacks. That is bloom-guard.filters.%1$s.add-failure: fail, the default. With"
							+ " mistrust, rows are written, and the filter lets all calls through until it has been"
							+ " rebuilt",
					name()), cause));
		}
	}

	/**
	 * Answer without asking Redis or the database.
	 */
	boolean isUnmovedSince(long epoch) {
		return this.filter.isUnmovedSince(epoch);
	}

	boolean hasMovedSince(long epoch) {
		try {
			return awaitWrite(this.filter.hasMovedSince(epoch), this.settings.adding().timeout());
		}
		catch (KeyNotAddedException ex) {
			return true;
		}
	}

	/**
	 * Mistrust the filter for rows of the thread's transaction, or that are committed.
	 */
	void mistrustRows(String reason) {
		KeysInTransaction transaction = KeysInTransaction.ofThread(this);
		if (transaction != null) {
			transaction.mistrust(reason);
		}
		else {
			giveUp(reason);
		}
	}

	/**
	 * Mistrust the filter, and wait until other instances find its bits gone, as far as
	 * Redis answers.
	 */
	void giveUp(String reason) {
		this.filter.mistrust(reason);
		isAnswered();
	}

	/**
	 * Read the record, and return whether Redis has answered that in time.
	 */
	boolean isAnswered() {
		CompletableFuture<Boolean> answered = this.filter.refresh()
			.copy()
			.completeOnTimeout(false, this.settings.adding().timeout().toMillis(), TimeUnit.MILLISECONDS);
		return Boolean.TRUE.equals(answered.join());
	}

	void missingAfterCommit(KeyNotAddedException failure) {
		LogFields.withFilter(name(),
				() -> this.failedCommits.warn(LogMessage.format(
						"Keys that were committed may be missing in the filter '%s', or remembered as absent", name()),
						failure.getCause()));
		this.filter.mistrust("keys of a committed transaction may be missing");
	}

	/**
	 * Forget once more that keys were absent, now that their rows can be seen.
	 */
	void committed(Map<String, Object> keys) {
		this.listeners.tellCommitted(keys);
	}

	/**
	 * Wait, also if the thread is interrupted: it may be about to commit the row.
	 */
	private <T> T awaitWrite(CompletableFuture<T> write, Duration longest) {
		try {
			return write.copy().orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS).join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof TooManyKeysException tooMany) {
				throw new KeyNotAddedException(name(), String.valueOf(tooMany.getMessage()), tooMany);
			}
			throw new KeyNotAddedException(this.settings.name(), (ex.getCause() != null) ? ex.getCause() : ex);
		}
	}

	private Map<String, Object> byForm(Collection<? extends @Nullable Object> keys) {
		Map<String, Object> written = new LinkedHashMap<>();
		for (Object key : keys) {
			if (key != null) {
				written.put(this.format.format(key), key);
			}
		}
		int unknown = Collections.frequency(keys, null);
		if (unknown > 0) {
			this.statistics.adding(unknown);
			failOrMistrust(unknown, new KeyNotAddedException(name()));
		}
		return written;
	}

	static String withoutBlanks(String form) {
		return StringUtils.trimTrailingCharacter(form, ' ');
	}

	private Set<String> forms(Map<String, Object> keys) {
		Set<String> forms = new LinkedHashSet<>();
		boolean verbatim = this.filter.isVerbatim();
		for (String form : keys.keySet()) {
			forms.add(form);
			// callers may leave out what the database does not compare
			forms.add(withoutBlanks(form));
			if (!verbatim) {
				// the name under which all ways of writing it are forgotten, and removed
				forms.add(KeySpellings.joined(form));
			}
		}
		return forms;
	}

	/**
	 * Keys that are on their way, by what tells them from each other.
	 *
	 * @param begun when adding them began, by the clock of the writer
	 */
	record Addition(Map<String, Object> keys, long begun, CompletableFuture<Long> epoch) {

	}

}
