package io.github.bloomguard.guard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Verdict;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells all listeners. One that fails does not break the guard, and says so in the log
 * once. Of a call they are told on its thread, and of what is found out by a thread of
 * Redis' client on another one, which they may block, in order.
 *
 * @since 0.1.0
 */
public final class ListenerChain implements BloomGuardListener {

	private static final Log logger = LogFactory.getLog(ListenerChain.class);

	private final List<BloomGuardListener> listeners;

	private final Executor executor;

	private final Set<BloomGuardListener> failed = ConcurrentHashMap.newKeySet();

	private CompletableFuture<Void> told = CompletableFuture.completedFuture(null);

	/**
	 * Create a chain.
	 * @param listeners the listeners, in the order in which they are told
	 * @param executor has threads that listeners may block
	 */
	public ListenerChain(List<BloomGuardListener> listeners, Executor executor) {
		this.listeners = List.copyOf(listeners);
		this.executor = executor;
	}

	@Override
	public void onVerdict(String filter, Verdict verdict) {
		tell((listener) -> listener.onVerdict(filter, verdict));
	}

	@Override
	public void onFalsePositive(String filter) {
		tell((listener) -> listener.onFalsePositive(filter));
	}

	@Override
	public void onFalseNegative(String filter) {
		tellLater((listener) -> listener.onFalseNegative(filter));
	}

	@Override
	public void onRejected(String filter) {
		tell((listener) -> listener.onRejected(filter));
	}

	@Override
	public void onAdded(String filter, int keys) {
		tell((listener) -> listener.onAdded(filter, keys));
	}

	@Override
	public void onStateChange(String filter, FilterState from, FilterState to, @Nullable Throwable cause) {
		tellLater((listener) -> listener.onStateChange(filter, from, to, cause));
	}

	private synchronized void tellLater(Consumer<BloomGuardListener> event) {
		this.told = this.told.handleAsync((nothing, rejected) -> {
			tell(event);
			return null;
		}, this.executor);
	}

	private void tell(Consumer<BloomGuardListener> event) {
		for (BloomGuardListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				if (this.failed.add(listener)) {
					logger.error("A listener failed; it goes on being told, its failures are not logged again", ex);
				}
			}
		}
	}

}
