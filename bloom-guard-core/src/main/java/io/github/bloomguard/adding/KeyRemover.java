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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.source.SourceAnswers;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Removes keys from one filter whose rows are gone: after the commit of the deletion, and
 * only if the source has no such row, where it can tell.
 */
public final class KeyRemover {

	private static final int CHUNK = 500;

	/**
	 * Keys that wait for an answer of the source, in this filter.
	 */
	private static final int MAX_ASKED = 10_000;

	private final ThrottledLog failures = new ThrottledLog(KeyRemover.class);

	private final String name;

	private final KeyFormat format;

	private final GenerationalFilter filter;

	private final SourceAnswers sources;

	private final Executor executor;

	/**
	 * How long before the decision a key may have been added whose row is committed after
	 * the deletion: the transaction that deletes has begun before, and the one that
	 * inserts before that.
	 */
	private final Duration addedWithin;

	private final Semaphore asked = new Semaphore(MAX_ASKED);

	/**
	 * The last look at the source, after all that began before it.
	 */
	private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

	/**
	 * @param executor has a thread at any time, which may be blocked
	 */
	public KeyRemover(String name, FilterSettings.Adding adding, KeyFormat format, GenerationalFilter filter,
			SourceAnswers sources, Executor executor) {
		this.name = name;
		this.format = format;
		this.filter = filter;
		this.sources = sources;
		this.executor = executor;
		this.addedWithin = adding.longest().plus(adding.longestTransaction().multipliedBy(2));
	}

	public KeyRemoval removal() {
		return new DecidedRemoval(this, this.filter.serverTime(), false);
	}

	KeyRemoval removalIfGone() {
		return new DecidedRemoval(this, this.filter.serverTime(), true);
	}

	/**
	 * A form that other keys may have, too, is not removed.
	 */
	private Map<String, Object> forms(Collection<? extends @Nullable Object> keys) {
		Map<String, Object> forms = new LinkedHashMap<>();
		for (Object key : keys) {
			if (key != null && (this.filter.isVerbatim() || this.format.isCanonical(key))) {
				forms.put(this.format.format(key), key);
			}
		}
		forms.keySet().removeIf((form) -> !this.filter.isDistinct(form));
		return forms;
	}

	/**
	 * Ask for one key after the other, in the background. What is too much stays.
	 */
	private synchronized void removeIfGone(Map<String, Object> keys, long decided) {
		if (this.sources.canTell() && this.asked.tryAcquire(keys.size())) {
			this.last = this.last.handleAsync((nothing, failure) -> {
				remove(keys.entrySet()
					.stream()
					.filter((key) -> this.sources.haveNone(key.getValue()))
					.map(Map.Entry::getKey)
					.toList(), decided);
				return null;
			}, this.executor);
			this.last.whenComplete((nothing, failure) -> this.asked.release(keys.size()));
		}
	}

	private void remove(List<String> forms, long decided) {
		for (int from = 0; from < forms.size(); from += CHUNK) {
			List<String> chunk = forms.subList(from, Math.min(from + CHUNK, forms.size()));
			Attempt.of(() -> this.filter.remove(chunk, decided, this.addedWithin)).exceptionally((failure) -> {
				LogFields.withFilter(this.name,
						() -> this.failures.warn(LogMessage
							.format("Keys of deleted rows stay in the filter '%s' until its next rebuild", this.name),
								failure));
				return 0L;
			});
		}
	}

	/**
	 * Decided at a time of the server's clock, or later; never if that is 0.
	 *
	 * @param ifGone whether rows may be there all the same
	 */
	private record DecidedRemoval(KeyRemover remover, long decided, boolean ifGone) implements KeyRemoval {

		@Override
		public void remove(Collection<? extends @Nullable Object> keys) {
			Map<String, Object> forms = this.remover.forms(keys);
			if (ThreadTransaction.isActive()) {
				ThreadTransaction.of(RemovedInTransaction.class, (known) -> known.removal.isLike(this),
						() -> new RemovedInTransaction(this, new LinkedHashMap<>())).forms
					.putAll(forms);
			}
			else {
				removeAfterCommits(forms);
			}
		}

		@Override
		public void removeNow(Collection<? extends @Nullable Object> keys, Duration ago) {
			remove(this.remover.forms(keys), Math.max(this.decided - ago.toMillis(), 0), this.ifGone);
		}

		/**
		 * Remove keys when the transactions are committed, too, that the thread has
		 * suspended: the rows may be deleted in one of them.
		 */
		void removeAfterCommits(Map<String, Object> forms) {
			if (!ThreadTransaction.afterOuterCommits(() -> removeGiven(forms))) {
				removeGiven(forms);
			}
		}

		/**
		 * Remove keys on the word of a caller, which may be wrong: the statement may have
		 * deleted nothing, a rollback to a savepoint that was not reported may have
		 * undone it, and other sessions may see another row.
		 */
		void removeGiven(Map<String, Object> forms) {
			SourceAnswers sources = this.remover.sources;
			remove(forms, this.decided, this.ifGone || sources.canTell() || sources.dependOnCaller());
		}

		private void remove(Map<String, Object> forms, long decided, boolean ifGone) {
			if (decided == 0 || forms.isEmpty()) {
				return;
			}
			if (ifGone) {
				this.remover.removeIfGone(forms, decided);
			}
			else {
				this.remover.remove(List.copyOf(forms.keySet()), decided);
			}
		}

		boolean isLike(DecidedRemoval other) {
			return this.remover == other.remover && this.ifGone == other.ifGone;
		}

	}

	/**
	 * The keys that the thread's transaction removes. All are forgotten when it is rolled
	 * back to a savepoint, because it is not known which rows come back.
	 *
	 * @param removal the first one of the transaction, which is the decision about all
	 */
	private record RemovedInTransaction(DecidedRemoval removal,
			Map<String, Object> forms) implements TransactionSynchronization {

		@Override
		public void savepointRollback(Object savepoint) {
			this.forms.clear();
		}

		@Override
		public void afterCommit() {
			this.removal.removeAfterCommits(new LinkedHashMap<>(this.forms));
		}

	}

}
