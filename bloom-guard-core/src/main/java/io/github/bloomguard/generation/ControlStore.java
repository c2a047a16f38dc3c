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

package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Where the control record of one filter is kept, with its add journal and the lease of
 * its builder, as seen by instances whose keys have one origin. Keys are in their
 * canonical form, times in milliseconds of the server's clock. Each method is one atomic
 * step on the primary, and may be repeated, because a reply may be lost; those with a
 * {@code token} change nothing unless it is that of the present builder. Nothing here
 * waits: each future completes, perhaps exceptionally, within the store's own deadline.
 * <p>
 * A kind of server implements this interface. What builders and people change of the
 * record are {@link RecordSteps}, which a store only has to {@link #swap}.
 */
public interface ControlStore {

	/**
	 * Return where the keys of its instances come from.
	 */
	String origin();

	/**
	 * Return whether its instances only ask the filter, which another application owns.
	 */
	default boolean isOfReader() {
		return false;
	}

	/**
	 * Read the record.
	 */
	CompletableFuture<ControlRecord> read();

	/**
	 * Read the record on behalf of readers: what they ask is not given up.
	 * @param evidence what calls have shown since the last report
	 */
	CompletableFuture<ControlRecord> refresh(Evidence evidence);

	/**
	 * Read the record, as {@link #refresh(Evidence)}, and what a mirror lacks of the
	 * journal after a position, except for the keys that it is the author of. The
	 * revocation of a lease tells that it was there.
	 */
	default CompletableFuture<Renewal> refresh(Evidence evidence, LeaseHolder holder, JournalPosition after) {
		return withoutMirrors();
	}

	/**
	 * Return what looks at the records of all filters of the same server at once.
	 */
	default RecordWatch watch() {
		return RecordWatch.NONE;
	}

	/**
	 * Become a holder: from now on, adds do not return before the mirror has their keys
	 * or is not trusted any more. It replaces a former mirror of the same instance.
	 * @return where the journal ended at that moment; exceptionally if there is no
	 * journal
	 */
	default CompletableFuture<MirrorLease> acquireMirrorLease(LeaseHolder holder) {
		return withoutMirrors();
	}

	/**
	 * Be no holder any more, unless another incarnation is one. The mirror must have
	 * ended before.
	 * @return completed when adds do not wait for it
	 */
	default CompletableFuture<Void> releaseMirrorLease(LeaseHolder holder) {
		return withoutMirrors();
	}

	/**
	 * Strike off a mirror that is not trusted any more, so that adds do not wait for it.
	 * Nothing happens if it has read the journal up to a position, because then it may be
	 * trusted again, or if another incarnation is holder.
	 * @param lacking the position of keys that were appended for longer than it is
	 * trusted
	 * @return whether it was struck off
	 */
	default CompletableFuture<Boolean> revokeMirrorLease(LeaseHolder holder, JournalPosition lacking) {
		return withoutMirrors();
	}

	/**
	 * Return what carries messages between adders and mirrors.
	 */
	default MirrorChannel channel() {
		return MirrorChannel.NONE;
	}

	private static <T> CompletableFuture<T> withoutMirrors() {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("this kind of server has no mirrors"));
	}

	/**
	 * Append keys, as {@link #append(List, List)}, and send them to all mirrors.
	 * @param sender the instance that waits for the mirrors
	 * @param author a mirror that has the keys already, and need not read them in the
	 * journal unless keys were removed lately; only the journal tells what came last
	 */
	default CompletableFuture<Appended> append(List<String> keys, List<Generation> known, MirrorChannel.Sender sender,
			@Nullable LeaseHolder author) {
		return append(keys, known);
	}

	/**
	 * Append keys to the journal, creating journal and record if they are missing, note
	 * that they were added, forget that they were not found, and read the record.
	 * @param known generations that were live lately; the same step may write the keys to
	 * those that still are
	 * @return the record as it was when the keys were appended
	 */
	CompletableFuture<Appended> append(List<String> keys, List<Generation> known);

	/**
	 * Find out whether keys could be appended, without appending any.
	 * @return exceptionally with the reason if they could not
	 */
	default CompletableFuture<Void> checkAppend() {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Note in the journal that the rows of keys are gone, and count them. A key that may
	 * have been added since a time is passed over, because its row may still be to come;
	 * so are all if too much time has passed since the decision.
	 * @param decided when that was decided, or before
	 * @param addedSince the time from which on an added key is left
	 * @return how many keys were noted
	 */
	CompletableFuture<Long> remove(List<String> keys, long decided, long addedSince);

	/**
	 * Return whether keys count as added only when replicas have them, which
	 * {@link #confirm()} tells.
	 */
	default boolean awaitsReplicas() {
		return false;
	}

	/**
	 * Read the record once as many replicas as are asked for have all writes;
	 * exceptionally if too few follow in time.
	 */
	default CompletableFuture<ControlRecord> confirm() {
		return read();
	}

	/**
	 * Become the builder, unless there is another one whose lease has not ended.
	 * @return whether it is the builder now
	 */
	CompletableFuture<Boolean> acquire(String token, Duration lease);

	/**
	 * Stay the builder for another lease.
	 * @return whether it still is the builder
	 */
	CompletableFuture<Boolean> renew(String token, Duration lease);

	/**
	 * Stop being the builder.
	 */
	CompletableFuture<Void> release(String token);

	/**
	 * Read what only the steps of builders change.
	 */
	CompletableFuture<RecordState> state();

	/**
	 * Change what {@link #state()} has read, in one step, and only if it is still the
	 * same and a token that of the present builder. The epoch grows if anything changes.
	 * A generation that is new brings a journal with it if there is none. All that
	 * belongs to a generation or an origin that is gone is deleted.
	 * @param token the token of the builder, {@code null} if anybody may do this
	 */
	CompletableFuture<Swap> swap(@Nullable String token, RecordState before, RecordState after);

	/**
	 * Read the page of the journal after the entry of an id.
	 * @param count how many keys to read; there may be some more, as keys that were
	 * appended together may come together
	 */
	CompletableFuture<JournalPage> journal(String after, int count);

	/**
	 * Read a page, as {@link #journal(String, int)}, without the keys of one author.
	 */
	default CompletableFuture<JournalPage> journal(String after, int count, LeaseHolder except) {
		return journal(after, count);
	}

	/**
	 * What became of a change.
	 */
	enum Swap {

		/**
		 * It was made.
		 */
		MADE,

		/**
		 * It was not, because the record is another one.
		 */
		MOVED,

		/**
		 * It was not, because another builder has the token.
		 */
		FENCED

	}

	/**
	 * Reply to an append of keys.
	 *
	 * @param written the ids of generations that have the keys, or are gone
	 * @param holders the mirrors that there were
	 * @param position that of the last of the keys in the journal
	 */
	record Appended(ControlRecord record, Set<String> written, List<LeaseHolder> holders, JournalPosition position) {

		public Appended(ControlRecord record, Set<String> written) {
			this(record, written, List.of(), JournalPosition.START);
		}

	}

	/**
	 * Reply to a mirror that has become a holder.
	 *
	 * @param position where the journal ended
	 * @param journalSince since when the journal is complete
	 */
	record MirrorLease(JournalPosition position, long journalSince, long now) {

	}

	/**
	 * Reply to the renewal of a holder.
	 *
	 * @param listed whether it is still known as a holder
	 * @param more whether the journal goes on after the page
	 */
	record Renewal(ControlRecord record, boolean listed, JournalPage page, boolean more) {

	}

	/**
	 * Some entries of the journal.
	 *
	 * @param removed the keys that were removed and not added again
	 * @param last the id of the last entry; empty if there are none left
	 */
	record JournalPage(List<String> keys, Set<String> removed, String last) {

		public JournalPage(List<String> keys, String last) {
			this(keys, Set.of(), last);
		}

	}

}
