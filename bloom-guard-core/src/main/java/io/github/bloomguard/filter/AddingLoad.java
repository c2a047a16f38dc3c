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

/**
 * Adds elements to a filter as any others are added, with a few writes under way at a
 * time. Works with each kind of filter.
 */
final class AddingLoad implements FilterLoad {

	private static final int UNDER_WAY = 3;

	private final StoredFilter filter;

	private final String prefix;

	private final Deque<CompletableFuture<Void>> writes = new ArrayDeque<>();

	AddingLoad(StoredFilter filter, String prefix) {
		this.filter = filter;
		this.prefix = prefix;
	}

	@Override
	public int passes() {
		return 1;
	}

	@Override
	public synchronized void add(Collection<String> elements) {
		if (!elements.isEmpty()) {
			this.writes.add(this.filter.add(elements.stream().map(this.prefix::concat).toList()));
			awaitAtMost(UNDER_WAY - 1);
		}
	}

	@Override
	public synchronized void endPass() {
		awaitAtMost(0);
	}

	private void awaitAtMost(int underWay) {
		while (this.writes.size() > underWay) {
			this.writes.remove().join();
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
