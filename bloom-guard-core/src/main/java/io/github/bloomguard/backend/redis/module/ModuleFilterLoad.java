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

package io.github.bloomguard.backend.redis.module;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.bloomguard.filter.FilterFullException;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.StoredFilter;

/**
 * Adds elements to a new filter, with a few writes under way at a time. If there are more
 * than it has room for, the others are only counted, so that the next one is large
 * enough.
 */
final class ModuleFilterLoad implements FilterLoad {

	private static final int UNDER_WAY = 3;

	private final ModuleStoredFilter filter;

	private final String prefix;

	private final Deque<CompletableFuture<Void>> writes = new ArrayDeque<>();

	private long added;

	private boolean full;

	ModuleFilterLoad(ModuleStoredFilter filter, String prefix) {
		this.filter = filter;
		this.prefix = prefix;
	}

	@Override
	public int passes() {
		return 1;
	}

	@Override
	public synchronized void add(Collection<String> elements) {
		this.added += elements.size();
		if (!this.full && !elements.isEmpty()) {
			this.writes.add(this.filter.add(elements.stream().map(this.prefix::concat).toList()));
			awaitAtMost(UNDER_WAY - 1);
		}
	}

	@Override
	public synchronized void endPass() {
		awaitAtMost(0);
		if (this.full) {
			throw new FilterFullException(this.filter.id(), Math.max(this.added, this.filter.capacity() + 1));
		}
	}

	private void awaitAtMost(int underWay) {
		while (this.writes.size() > underWay && !this.full) {
			try {
				this.writes.remove().join();
			}
			catch (CompletionException ex) {
				if (!(ex.getCause() instanceof FilterFullException)) {
					throw ex;
				}
				this.full = true;
			}
		}
	}

	@Override
	public void keepAlive() {
		this.filter.keepAlive();
	}

	@Override
	public StoredFilter filter() {
		return this.filter;
	}

	@Override
	public synchronized void close() {
		this.writes.forEach((write) -> write.cancel(false));
	}

}
