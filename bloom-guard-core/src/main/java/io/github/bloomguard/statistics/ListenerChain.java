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

package io.github.bloomguard.statistics;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.core.log.LogMessage;

/**
 * Delivers events to listeners. One that fails breaks neither the guard nor the others.
 */
public final class ListenerChain {

	private final ThrottledLog failures = new ThrottledLog(ListenerChain.class);

	private final List<BloomGuardListener> listeners;

	private final Executor executor;

	private CompletableFuture<Void> delivered = CompletableFuture.completedFuture(null);

	public ListenerChain(List<BloomGuardListener> listeners, Executor executor) {
		this.listeners = List.copyOf(listeners);
		this.executor = executor;
	}

	void deliver(Consumer<BloomGuardListener> event) {
		for (BloomGuardListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				this.failures.error(LogMessage.of(() -> "A listener of the type " + listener.getClass().getName()
						+ " failed; it goes on receiving events"), ex);
			}
		}
	}

	/**
	 * Deliver in order what a thread of Redis' client has found, on one that may block.
	 */
	synchronized void deliverLater(Consumer<BloomGuardListener> event) {
		this.delivered = this.delivered.handleAsync((nothing, rejected) -> {
			deliver(event);
			return null;
		}, this.executor);
	}

}
