package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.bloomguard.KeyNotAddedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.log.LogMessage;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The keys that one transaction has added to one filter. They were written at once; they
 * are written again before the commit if a rebuild has begun meanwhile or the journal may
 * have forgotten them, and once more after it if a rebuild has begun in between. Used by
 * the thread of the transaction only.
 */
final class KeysInTransaction implements TransactionSynchronization {

	private static final Log logger = LogFactory.getLog(KeysInTransaction.class);

	private final KeyWriter writer;

	private final long journalNanos;

	private final Map<String, Object> keys = new LinkedHashMap<>();

	private long epoch = Long.MAX_VALUE;

	/**
	 * When the oldest keys were begun to be added, so that no pause of this thread makes
	 * them younger than their entries in the journal.
	 */
	private long oldest;

	private KeysInTransaction(KeyWriter writer, long begun, Duration longestTransaction) {
		this.writer = writer;
		this.oldest = begun;
		this.journalNanos = longestTransaction.toNanos() / 2;
	}

	/**
	 * Look after keys if there is a transaction.
	 * @param writer what has added them
	 * @param keys the keys
	 * @param epoch the epoch in which they were added, {@link KeyWriter#NOT_ADDED} if
	 * they are still to be
	 * @param begun when adding them began, by the clock of the writer
	 * @param longestTransaction how far back a rebuild replays the journal
	 */
	static void follow(KeyWriter writer, Map<String, Object> keys, long epoch, long begun,
			Duration longestTransaction) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()) {
			return;
		}
		KeysInTransaction known = null;
		for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
			if (synchronization instanceof KeysInTransaction candidate
					&& candidate.writer.name().equals(writer.name())) {
				known = candidate;
			}
		}
		if (known == null) {
			known = new KeysInTransaction(writer, begun, longestTransaction);
			TransactionSynchronizationManager.registerSynchronization(known);
		}
		known.keys.putAll(keys);
		known.epoch = Math.min(known.epoch, epoch);
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		// the clock last: reading the epoch may take its time
		if (this.writer.hasMovedSince(this.epoch) || this.writer.clock().nanoTime() - this.oldest > this.journalNanos) {
			writeAgain();
		}
	}

	@Override
	public void afterCommit() {
		try {
			if (this.writer.hasMovedSince(this.epoch)) {
				writeAgain();
			}
		}
		catch (KeyNotAddedException ex) {
			logger.warn(LogMessage.format("Keys that were committed may be missing in the filter '%s': %s",
					this.writer.name(), ex.getCause()));
			this.writer.mistrust("keys of a committed transaction may be missing");
		}
	}

	private void writeAgain() {
		this.oldest = this.writer.clock().nanoTime();
		this.epoch = this.writer.writeOrMistrust(this.keys);
	}

}
