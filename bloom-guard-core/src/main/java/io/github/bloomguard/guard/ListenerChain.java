package io.github.bloomguard.guard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Tells all listeners. One that fails does not break the guard. Of a call they are told
 * on its thread, and of what is found out by a thread of Redis' client on another one,
 * which they may block, in order.
 *
 * @since 0.1.0
 */
public final class ListenerChain implements BloomGuardListener {

	private final ThrottledLog failures = new ThrottledLog(ListenerChain.class);

	private final List<BloomGuardListener> listeners;

	private final Executor executor;

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
				this.failures.error(LogMessage.of(() -> "A listener of the type " + listener.getClass().getName()
						+ " failed; it goes on being told"), ex);
			}
		}
	}

}
