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

package io.github.bloomguard.filter;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/**
 * Adds elements to any kind of filter, and counts those that it has no room for.
 */
public class AddingLoad implements FilterLoad {

	private static final int UNDER_WAY = 3;

	private final GenerationId id;

	private final StoredFilter filter;

	private final String prefix;

	private final Deque<CompletableFuture<Void>> writes = new ArrayDeque<>();

	private long added;

	private @Nullable FilterFullException full;

	public AddingLoad(GenerationId id, StoredFilter filter, String prefix) {
		this.id = id;
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
		if (this.full == null && !elements.isEmpty()) {
			this.writes.add(this.filter.add(elements.stream().map(this.prefix::concat).toList()));
			awaitAtMost(UNDER_WAY - 1);
		}
	}

	@Override
	public synchronized void endPass() {
		awaitAtMost(0);
		if (this.full != null) {
			throw new FilterFullException(this.id, Math.max(this.added, this.full.getInsertions()));
		}
	}

	private void awaitAtMost(int underWay) {
		while (this.writes.size() > underWay && this.full == null) {
			try {
				this.writes.remove().join();
			}
			catch (CompletionException ex) {
				if (!(ex.getCause() instanceof FilterFullException failure)) {
					throw ex;
				}
				this.full = failure;
			}
		}
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
