package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.core.log.LogMessage;

/**
 * Tells many listeners. One that fails disturbs neither the others nor the caller.
 */
final class CacheLoadListeners implements CacheLoadListener {

	private final ThrottledLog failures = new ThrottledLog(CacheLoadListeners.class);

	private final List<CacheLoadListener> listeners;

	CacheLoadListeners(List<? extends CacheLoadListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void onLoad(String cache, Duration duration, boolean failed) {
		tell((listener) -> listener.onLoad(cache, duration, failed));
	}

	@Override
	public void onWait(String cache, Duration duration, boolean shared) {
		tell((listener) -> listener.onWait(cache, duration, shared));
	}

	@Override
	public void onEarlyRefresh(String cache) {
		tell((listener) -> listener.onEarlyRefresh(cache));
	}

	@Override
	public void onStale(String cache, Throwable cause) {
		tell((listener) -> listener.onStale(cache, cause));
	}

	@Override
	public void onNullHit(String cache) {
		tell((listener) -> listener.onNullHit(cache));
	}

	private void tell(Consumer<CacheLoadListener> event) {
		for (CacheLoadListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				this.failures.warn(
						LogMessage.format("A listener of type %s failed; it goes on being told", listener.getClass()),
						ex);
			}
		}
	}

}
