package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.generation.Generation.Phase;

/**
 * Where the control record of one filter is kept, with its add journal and the lease of
 * its builder. Each method is one atomic step on the primary; those that are given a
 * token change nothing unless it is that of the present builder. Nothing here waits: each
 * future completes, perhaps exceptionally, within the store's own deadline.
 *
 * @since 0.1.0
 */
public interface ControlStore {

	/**
	 * Read the record.
	 * @return the record
	 */
	CompletableFuture<ControlRecord> read();

	/**
	 * Append keys to the journal, creating journal and record if they are missing, note
	 * that they were added, and read the record.
	 * @param keys the keys in their one form
	 * @return the record as it was when the keys were appended
	 */
	CompletableFuture<ControlRecord> append(Collection<String> keys);

	/**
	 * Read the record after keys were written, once as many replicas as are asked for
	 * have them.
	 * @return the record; exceptionally if too few replicas followed in time
	 */
	default CompletableFuture<ControlRecord> confirm() {
		return read();
	}

	/**
	 * Become the builder.
	 * @param token names the builder
	 * @param lease after which others may become builder
	 * @return whether that succeeded; {@code false} if there is another one
	 */
	CompletableFuture<Boolean> acquire(String token, Duration lease);

	/**
	 * Stay the builder.
	 * @param token names the builder
	 * @param lease after which others may become builder
	 * @return whether it still is the builder
	 */
	CompletableFuture<Boolean> renew(String token, Duration lease);

	/**
	 * Stop being the builder.
	 * @param token names the builder
	 * @return completed when others may become builder
	 */
	CompletableFuture<Void> release(String token);

	/**
	 * List a new generation and drop what a former builder left half built. From now on
	 * the journal is not trimmed until the generation is active.
	 * @param token names the builder
	 * @param generation the new generation
	 * @param keep how far back the journal must be kept
	 * @return whether the token was good
	 */
	CompletableFuture<Boolean> begin(String token, Generation generation, Duration keep);

	/**
	 * Make a loading generation live.
	 * @param token names the builder
	 * @param id the id of the generation
	 * @return whether the token was good and the generation {@link Phase#LOADING}
	 */
	CompletableFuture<Boolean> goLive(String token, String id);

	/**
	 * Make a live generation the active one and retire the one before.
	 * @param token names the builder
	 * @param id the id of the generation
	 * @param journalSince since when the journal had been complete when the build began
	 * @return whether the token was good, the generation {@link Phase#LIVE}, and the
	 * journal still the same
	 */
	CompletableFuture<Boolean> activate(String token, String id, long journalSince);

	/**
	 * Drop generations whose bits are gone.
	 * @param ids their ids
	 * @return completed when they are dropped
	 */
	CompletableFuture<Void> drop(Collection<String> ids);

	/**
	 * Read a page of the journal.
	 * @param after the id of the entry before the first one of the page
	 * @param count how many entries to read
	 * @return the page
	 */
	CompletableFuture<JournalPage> journal(String after, int count);

	/**
	 * Some entries of the journal.
	 *
	 * @param keys their keys
	 * @param last the id of the last one; empty if there are none left
	 */
	record JournalPage(List<String> keys, String last) {

	}

}
