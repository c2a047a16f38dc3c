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

package io.github.bloomguard.guard;

import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskRejectedException;

/**
 * Runs each task on a daemon thread of its own. One for which no thread can be started,
 * as in a container that may have no more, is rejected: an error would reach callers.
 */
public final class GuardExecutor extends SimpleAsyncTaskExecutor {

	private static final long serialVersionUID = 1L;

	private final transient ThrottledLog failures = new ThrottledLog(GuardExecutor.class);

	public GuardExecutor() {
		super("bloom-guard-");
		setDaemon(true);
	}

	@Override
	protected void doExecute(Runnable task) {
		try {
			super.doExecute(task);
		}
		catch (OutOfMemoryError ex) {
			this.failures.warn("No thread can be started, so filters are neither loaded nor verified until one can",
					ex);
			throw new TaskRejectedException("No thread can be started", ex);
		}
	}

}
