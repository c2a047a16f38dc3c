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

package io.github.bloomguard.call;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The transactions that begin and end on a thread while a method is called, as one does
 * that AspectJ has woven into the method, or that a {@code TransactionTemplate} runs in
 * it. When the method returns, they are over, so what stands around it is told of their
 * ends by the {@linkplain ThreadTransaction#listener listener} of transactions.
 * <p>
 * Concurrency: only the thread of the call uses it, until the call has returned.
 */
public final class InnerTransactions {

	private static final ThreadLocal<@Nullable InnerTransactions> CURRENT = new ThreadLocal<>();

	private final @Nullable InnerTransactions outer = CURRENT.get();

	private final Runnable beforeCommit;

	private boolean committed;

	private boolean rolledBack;

	private InnerTransactions(Runnable beforeCommit) {
		this.beforeCommit = beforeCommit;
	}

	/**
	 * Begin to watch the thread, until {@link #end()}.
	 * @param beforeCommit run before each commit, which fails if this does
	 */
	public static InnerTransactions watch(Runnable beforeCommit) {
		InnerTransactions watched = new InnerTransactions(beforeCommit);
		CURRENT.set(watched);
		return watched;
	}

	public void end() {
		if (this.outer != null) {
			CURRENT.set(this.outer);
		}
		else {
			CURRENT.remove();
		}
	}

	/**
	 * Return whether a transaction was committed.
	 */
	public boolean isCommitted() {
		return this.committed;
	}

	/**
	 * Return whether a transaction was rolled back, or may have been.
	 */
	public boolean isRolledBack() {
		return this.rolledBack;
	}

	static void beforeCommit() {
		forEach((watched) -> watched.beforeCommit.run());
	}

	static void afterCommit() {
		forEach((watched) -> watched.committed = true);
	}

	static void afterRollback() {
		forEach((watched) -> watched.rolledBack = true);
	}

	private static void forEach(Consumer<InnerTransactions> step) {
		for (InnerTransactions watched = CURRENT.get(); watched != null; watched = watched.outer) {
			step.accept(watched);
		}
	}

}
