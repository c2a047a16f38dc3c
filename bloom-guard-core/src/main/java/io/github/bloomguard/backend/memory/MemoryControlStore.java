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

package io.github.bloomguard.backend.memory;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;

import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.sentinel.EmptySentinels;
import org.jspecify.annotations.Nullable;

/**
 * The control record, the journal and the lease of one filter. They last as long as their
 * only application: no origin falls out of use, and no other server can take over.
 */
record MemoryControlStore(FilterMemory memory, FilterSettings.Adding adding, Origin keyOrigin) implements ControlStore {

	@Override
	public String origin() {
		return this.keyOrigin.value();
	}

	@Override
	public CompletableFuture<ControlRecord> read() {
		return this.memory.step(this::read);
	}

	private ControlRecord read(long now) {
		return this.keyOrigin.isReader() ? this.memory.record().readFor(origin(), now)
				: this.memory.record().read(origin(), now);
	}

	@Override
	public CompletableFuture<ControlRecord> refresh(Evidence evidence) {
		return this.memory.step((now) -> {
			if (this.keyOrigin.isReader()) {
				this.memory.record().report(origin(), evidence, now);
			}
			else {
				note(evidence, now);
			}
			return read(now);
		});
	}

	private void note(Evidence evidence, long now) {
		if (this.keyOrigin.isKnown()) {
			this.memory.record().use(origin(), this.keyOrigin.terms(), now);
		}
		this.memory.record().prove(origin(), evidence, now);
	}

	/**
	 * Keys are written afterwards, which takes no further step in memory.
	 */
	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known) {
		return this.memory.step((now) -> {
			this.memory.record().ensure();
			forget(now);
			this.memory.journal().append(keys, now);
			this.memory.journal().note(EmptySentinels.UNCERTAIN, now);
			this.memory.sentinels().remove(keys);
			this.memory.sentinels().remove(List.of(EmptySentinels.UNCERTAIN));
			return new Appended(read(now), Set.of());
		});
	}

	/**
	 * Forget what is not needed any more, or all if that takes too much memory.
	 */
	private void forget(long now) {
		Journal journal = this.memory.journal();
		journal.trim(now - this.adding.journalRetention().toMillis(), now - this.adding.addedRetention().toMillis());
		if (journal.size() > this.adding.journalMemory()) {
			journal.clear();
			this.memory.record().forgetJournal(now + this.adding.addedRetention().toMillis());
		}
	}

	/**
	 * There are no mirrors, so keys are only counted.
	 */
	@Override
	public CompletableFuture<Long> remove(List<String> keys, long decided, long addedSince) {
		return this.memory.step((now) -> {
			if (this.memory.record().journalSince() > addedSince) {
				return 0L;
			}
			long gone = keys.stream().filter((key) -> !this.memory.journal().isAddedSince(key, addedSince)).count();
			this.memory.record().remove(gone);
			return gone;
		});
	}

	@Override
	public CompletableFuture<Boolean> acquire(String token, Duration lease) {
		return this.memory.step((now) -> this.memory.builder().take(token, lease, now) == 0);
	}

	@Override
	public CompletableFuture<Boolean> renew(String token, Duration lease) {
		return building(token, (now) -> this.memory.builder().take(token, lease, now) == 0);
	}

	@Override
	public CompletableFuture<Void> release(String token) {
		return building(token, (now) -> {
			this.memory.builder().release();
			return true;
		}).thenApply((released) -> null);
	}

	@Override
	public CompletableFuture<RecordState> state() {
		return this.memory.step((now) -> this.memory.record().state(now, this.memory.journal().keptFrom()));
	}

	@Override
	public CompletableFuture<Swap> swap(@Nullable String token, RecordState before, RecordState after) {
		return this.memory.step((now) -> {
			if (token != null && !this.memory.builder().isHeldBy(token, now)) {
				return Swap.FENCED;
			}
			if (!this.memory.record().is(before)) {
				return Swap.MOVED;
			}
			if (!after.equals(before)) {
				this.memory.record().set(before, after);
				this.memory.journal().keepFrom(after.journalKeptFrom());
			}
			return Swap.MADE;
		});
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count) {
		return this.memory.step((now) -> this.memory.journal().page(after, count));
	}

	private CompletableFuture<Boolean> building(String token, LongPredicate step) {
		return this.memory.step((now) -> this.memory.builder().isHeldBy(token, now) && step.test(now));
	}

}
