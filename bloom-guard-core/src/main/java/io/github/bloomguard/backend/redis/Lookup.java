package io.github.bloomguard.backend.redis;

import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;

/**
 * One question, and its answer when it comes.
 */
final class Lookup extends CompletableFuture<Membership> {

	private final long[] indexes;

	private final long askedAt = System.nanoTime();

	/**
	 * Create a lookup.
	 * @param indexes the bits that are all set if the element was added
	 */
	Lookup(long[] indexes) {
		this.indexes = indexes;
	}

	long[] indexes() {
		return this.indexes;
	}

	/**
	 * Return when it was asked, in the terms of {@link System#nanoTime()}.
	 */
	long askedAt() {
		return this.askedAt;
	}

}
