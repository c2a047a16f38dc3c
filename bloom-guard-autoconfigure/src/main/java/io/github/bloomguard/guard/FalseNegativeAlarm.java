package io.github.bloomguard.guard;

import java.util.List;
import java.util.concurrent.Executor;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.log.LogMessage;

/**
 * Reports keys that were found after a filter had called them absent, and adds them.
 */
final class FalseNegativeAlarm {

	private static final Log logger = LogFactory.getLog(FilterGuard.class);

	private final String filter;

	private final FilterLookup lookup;

	private final KeyWriter writer;

	private final BloomGuardListener listener;

	private final Executor executor;

	private final FalseNegatives falseNegatives = new FalseNegatives();

	/**
	 * Create an alarm.
	 * @param filter the name of the filter
	 * @param lookup asks the filter again
	 * @param writer adds keys
	 * @param listener is told
	 * @param executor adds the keys; may be blocked
	 */
	FalseNegativeAlarm(String filter, FilterLookup lookup, KeyWriter writer, BloomGuardListener listener,
			Executor executor) {
		this.filter = filter;
		this.lookup = lookup;
		this.writer = writer;
		this.listener = listener;
		this.executor = executor;
	}

	/**
	 * Report a key, unless it may have been added in between.
	 */
	void found(Object key) {
		String form = this.lookup.form(key);
		if (form == null) {
			return;
		}
		this.lookup.bounded(List.of(form)).thenAccept((answers) -> {
			if (answers.get(0) == Membership.ABSENT) {
				this.falseNegatives.found();
				this.listener.onFalseNegative(this.filter);
				logger.error(LogMessage.format("The filter '%s' called the key '%s' absent, and it was found",
						this.filter, key));
				this.executor.execute(() -> add(key));
			}
		});
	}

	private void add(Object key) {
		try {
			this.writer.add(List.of(key));
		}
		catch (KeyNotAddedException ex) {
			logger.error(LogMessage.format("The key '%s' is still missing in the filter '%s'", key, this.filter), ex);
		}
	}

	FalseNegatives falseNegatives() {
		return this.falseNegatives;
	}

}
