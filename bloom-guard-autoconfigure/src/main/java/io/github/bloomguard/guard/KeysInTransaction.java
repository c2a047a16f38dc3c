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

	private long oldest = System.nanoTime();

	private KeysInTransaction(KeyWriter writer, Duration longestTransaction) {
		this.writer = writer;
		this.journalNanos = longestTransaction.toNanos() / 2;
	}

	/**
	 * Look after keys if there is a transaction.
	 * @param writer what has added them
	 * @param keys the keys
	 * @param epoch the epoch in which they were added, {@link KeyWriter#NOT_ADDED} if
	 * they are still to be
	 * @param longestTransaction how far back a rebuild replays the journal
	 */
	static void follow(KeyWriter writer, Map<String, Object> keys, long epoch, Duration longestTransaction) {
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
			known = new KeysInTransaction(writer, longestTransaction);
			TransactionSynchronizationManager.registerSynchronization(known);
		}
		known.keys.putAll(keys);
		known.epoch = Math.min(known.epoch, epoch);
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		// the clock last: reading the epoch may take its time
		if (this.writer.hasMovedSince(this.epoch) || System.nanoTime() - this.oldest > this.journalNanos) {
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
		this.oldest = System.nanoTime();
		this.epoch = this.writer.writeOrMistrust(this.keys);
	}

}
