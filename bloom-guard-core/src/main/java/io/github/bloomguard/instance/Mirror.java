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
import java.util.Collection;
import java.util.List;

import io.github.bloomguard.filter.FilterCopy;
import io.github.bloomguard.filter.TextForms;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of the copy of a generation in the memory of this instance. It may
 * answer under a {@code FilterSnapshot} that was shown with it, as long as that is
 * trusted and the mirror has not ended.
 * <p>
 * Concurrency: the bits may be set by any thread at any time. {@code progress} is
 * replaced when the mirror has become a holder, and then by refreshes, of which one that
 * hangs may be behind another: it only ever moves forward, and {@code removed} with it.
 * {@code copied} and {@code ended} become {@code true} once.
 */
final class Mirror {

	private final LeaseHolder holder;

	private final Generation generation;

	private final FilterCopy bits;

	private final TextForms forms;

	private final RemovedKeys removed = new RemovedKeys();

	private volatile @Nullable Progress progress;

	/**
	 * Whether the journal has been added that was there when it became a holder. It may
	 * be of another server, which had a key removed, and lacks that it was added again.
	 */
	private boolean replayed;

	private volatile boolean copied;

	private volatile boolean ended;

	Mirror(LeaseHolder holder, Generation generation, FilterCopy bits) {
		this.holder = holder;
		this.generation = generation;
		this.forms = generation.forms();
		this.bits = bits;
	}

	LeaseHolder holder() {
		return this.holder;
	}

	boolean isOf(Generation other) {
		return this.generation.id().equals(other.id());
	}

	long sizeInBytes() {
		return sizeOf(this.generation);
	}

	static long sizeOf(Generation generation) {
		return generation.specification().bits() / Byte.SIZE + 1;
	}

	boolean add(Collection<String> keys) {
		boolean changed = false;
		for (String key : keys) {
			for (String form : this.forms.stored(key)) {
				changed |= this.removed.forget(form);
				changed |= this.bits.add(form);
			}
		}
		return changed;
	}

	void forgetRemoved(Collection<String> keys) {
		keys.forEach((key) -> this.forms.stored(key).forEach(this.removed::forget));
	}

	/**
	 * Return whether a key may be there. A key that was removed may be equal to others
	 * that are there, unless it is compared exactly.
	 */
	boolean mightContain(String key) {
		if (this.forms.areVerbatim() && this.forms.areExact()) {
			return this.bits.mightContain(key) && !this.removed.contains(key);
		}
		List<String> asked = this.forms.asked(key);
		if (asked == TextForms.CANNOT_TELL) {
			return true;
		}
		for (String form : asked) {
			if (this.bits.mightContain(form) && !(this.removed.contains(form) && this.forms.areDistinct(key))) {
				return true;
			}
		}
		return false;
	}

	boolean mightContain(long number) {
		return (this.forms.areExact() && this.removed.isEmpty()) ? this.bits.mightContain(number)
				: mightContain(Long.toString(number));
	}

	/**
	 * Become a holder. An add that was under way may have its key in the journal and not
	 * yet in the bits that will be copied, so the journal is replayed from before.
	 */
	void leased(ControlStore.MirrorLease lease, Duration longestAdd) {
		long from = Math.max(0, Math.min(lease.position().millis(), lease.now()) - longestAdd.toMillis());
		this.progress = new Progress(new JournalPosition(from, 0), lease.journalSince(),
				lease.now() - longestAdd.toMillis());
	}

	@Nullable Progress progress() {
		return this.progress;
	}

	/**
	 * Note that a part of the journal has been added. What was removed in it counts only
	 * if that was after the mirror was made, and no other refresh has been faster.
	 * @param now in milliseconds of the server's clock
	 */
	synchronized void moveOver(JournalPart read, long now) {
		Progress former = this.progress;
		if (former == null) {
			return;
		}
		if (read.from().equals(former.position())) {
			this.removed.refreshed(this.replayed ? this.forms.stored(List.copyOf(read.removed())) : List.of());
			this.replayed = true;
		}
		if (read.to().covers(former.position())) {
			this.progress = new Progress(read.to(), former.journalSince(), Math.max(now, former.at()));
		}
	}

	void copied() {
		this.copied = true;
	}

	void end() {
		this.ended = true;
	}

	boolean isEnded() {
		return this.ended;
	}

	/**
	 * Return whether a snapshot may be shown with it that was read with the journal.
	 */
	boolean isComplete() {
		return this.copied && !this.ended;
	}

	@Override
	public String toString() {
		return this.generation.bits().toString();
	}

	record JournalPart(JournalPosition from, JournalPosition to, Collection<String> removed) {

	}

	/**
	 * How far a mirror has come.
	 *
	 * @param position up to where it has the journal
	 * @param at no entry that it lacks is older, in milliseconds of the server's clock
	 */
	record Progress(JournalPosition position, long journalSince, long at) {

		boolean isContinuedIn(ControlRecord record, Duration retention) {
			return record.journalSince() == this.journalSince && record.now() - this.at < retention.toMillis();
		}

	}

}
