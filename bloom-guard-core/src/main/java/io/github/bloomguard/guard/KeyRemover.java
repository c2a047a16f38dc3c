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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.circuit.RedisCircuitBreaker;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

final class KeyRemover {

	private static final int CHUNK = 500;

	private static final ThrottledLog failures = new ThrottledLog(KeyRemover.class);

	private final String name;

	private final KeyFormat format;

	private final GenerationalFilter filter;

	/**
	 * How long before the decision a key may have been added whose row is committed after
	 * the deletion: the transaction that deletes has begun before, and the one that
	 * inserts before that.
	 */
	private final Duration addedWithin;

	KeyRemover(String name, FilterSettings.Adding adding, KeyFormat format, GenerationalFilter filter) {
		this.name = name;
		this.format = format;
		this.filter = filter;
		this.addedWithin = adding.longest().plus(adding.longestTransaction().multipliedBy(2));
	}

	KeyRemoval removal() {
		return new DecidedRemoval(this.filter.serverTime());
	}

	/**
	 * A form that other keys may have, too, is not removed.
	 */
	private List<String> forms(Collection<? extends @Nullable Object> keys) {
		return keys.stream()
			.filter(Objects::nonNull)
			.filter(this.format::isCanonical)
			.map(this.format::format)
			.filter(this.filter::isDistinct)
			.toList();
	}

	private void remove(List<String> forms, long decided) {
		if (decided == 0) {
			return;
		}
		for (int from = 0; from < forms.size(); from += CHUNK) {
			List<String> chunk = forms.subList(from, Math.min(from + CHUNK, forms.size()));
			RedisCircuitBreaker.attempt(() -> this.filter.remove(chunk, decided, this.addedWithin))
				.exceptionally((failure) -> {
					LogFields.withFilter(this.name,
							() -> failures.warn(LogMessage.format(
									"Keys of deleted rows stay in the filter '%s' until its next rebuild", this.name),
									failure));
					return 0L;
				});
		}
	}

	/**
	 * Decided at a time of the server's clock, or later; never if that is 0.
	 */
	private final class DecidedRemoval implements KeyRemoval {

		private final long decided;

		DecidedRemoval(long decided) {
			this.decided = decided;
		}

		@Override
		public void remove(Collection<? extends @Nullable Object> keys) {
			List<String> forms = forms(keys);
			if (ThreadTransaction.isActive()) {
				RemovedInTransaction.ofThread(KeyRemover.this, this.decided).add(forms);
			}
			else {
				KeyRemover.this.remove(forms, this.decided);
			}
		}

		@Override
		public void removeNow(Collection<? extends @Nullable Object> keys, Duration ago) {
			KeyRemover.this.remove(forms(keys), Math.max(this.decided - ago.toMillis(), 0));
		}

	}

	/**
	 * The keys that the thread's transaction removes. All are forgotten when it is rolled
	 * back to a savepoint, because it is not known which rows come back.
	 */
	private static final class RemovedInTransaction implements TransactionSynchronization {

		private final KeyRemover remover;

		private final long decided;

		private final List<String> forms = new ArrayList<>();

		RemovedInTransaction(KeyRemover remover, long decided) {
			this.remover = remover;
			this.decided = decided;
		}

		/**
		 * The first removal of a transaction is the decision about all of them.
		 */
		static RemovedInTransaction ofThread(KeyRemover remover, long decided) {
			return ThreadTransaction.find(RemovedInTransaction.class, (known) -> known.remover == remover)
				.orElseGet(() -> {
					RemovedInTransaction removed = new RemovedInTransaction(remover, decided);
					TransactionSynchronizationManager.registerSynchronization(removed);
					return removed;
				});
		}

		void add(List<String> keys) {
			this.forms.addAll(keys);
		}

		@Override
		public void savepointRollback(Object savepoint) {
			this.forms.clear();
		}

		@Override
		public void afterCommit() {
			this.remover.remove(List.copyOf(this.forms), this.decided);
		}

	}

}
