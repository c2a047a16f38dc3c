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

package io.github.bloomguard.cache;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Tells listeners what guarded caches do, and the log what they go on without.
 */
final class CacheEvents {

	private final ThrottledLog failedListeners = new ThrottledLog(CacheGuard.class);

	private final ThrottledLog redisFailures = new ThrottledLog(CacheGuard.class);

	private final ThrottledLog failedLoads = new ThrottledLog(CacheGuard.class);

	private final List<CacheLoadListener> listeners;

	CacheEvents(List<? extends CacheLoadListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	void tell(Consumer<CacheLoadListener> event) {
		for (CacheLoadListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				this.failedListeners.warn(LogMessage.format("A listener of type %s failed; it goes on receiving events",
						listener.getClass()), ex);
			}
		}
	}

	/**
	 * @param consequence to be read after the name of the cache
	 */
	void redisFailed(String cache, String consequence, Throwable failure) {
		this.redisFailures.warn(LogMessage.format("Cache '%s': %s", cache, consequence), failure);
	}

	void loadFailed(String cache, String consequence, Throwable failure) {
		this.failedLoads.warn(LogMessage.format("Cache '%s': %s", cache, consequence), failure);
	}

	/**
	 * Ask Redis for something that can be gone on without, {@code null} if it fails.
	 */
	<T> @Nullable T attempt(String cache, Supplier<@Nullable T> commands, String consequence) {
		try {
			return commands.get();
		}
		catch (RuntimeException ex) {
			redisFailed(cache, consequence, ex);
			return null;
		}
	}

	void attempt(String cache, Runnable commands, String consequence) {
		attempt(cache, () -> {
			commands.run();
			return null;
		}, consequence);
	}

}
