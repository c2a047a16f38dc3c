package io.github.bloomguard.guard;

import java.util.List;
import java.util.concurrent.Executor;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.logging.LogText;
import io.github.bloomguard.logging.ThrottledLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.log.LogMessage;

/**
 * Reports keys that were found after a filter had called them absent, and adds them.
 */
final class FalseNegativeAlarm {

	private static final Log logger = LogFactory.getLog(FilterGuard.class);

	private final ThrottledLog alarms = new ThrottledLog(FilterGuard.class);

	private final ThrottledLog failures = new ThrottledLog(FilterGuard.class);

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
				this.alarms.error(LogMessage
					.format("The filter '%s' called a key absent, and it was found. DEBUG tells the key", this.filter),
						null);
				logger.debug(LogMessage
					.of(() -> "The filter '" + this.filter + "' called the key '" + LogText.of(key) + "' absent"));
				this.executor.execute(() -> add(key));
			}
		});
	}

	private void add(Object key) {
		try {
			this.writer.add(List.of(key));
		}
		catch (KeyNotAddedException ex) {
			this.failures
				.error(LogMessage.format("A key that was found is still missing in the filter '%s'", this.filter), ex);
		}
	}

	FalseNegatives falseNegatives() {
		return this.falseNegatives;
	}

}
