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

package io.github.bloomguard.adding;

import java.util.Collection;
import java.util.List;

import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.WrittenFilter;
import org.jspecify.annotations.Nullable;

/**
 * What writers of rows see of one filter.
 * <p>
 * Concurrency: {@code sentinelsAreUsed} is only ever set, by any thread.
 */
public final class FilterWrites implements WrittenFilter {

	private final KeyWriter writer;

	private final KeyRemover remover;

	private final AddedKeysListeners listeners;

	private volatile boolean sentinelsAreUsed;

	public FilterWrites(KeyWriter writer, KeyRemover remover, AddedKeysListeners listeners) {
		this.writer = writer;
		this.remover = remover;
		this.listeners = listeners;
	}

	/**
	 * Note that a caller of the filter has sentinels.
	 */
	public void sentinelsAreUsed() {
		this.sentinelsAreUsed = true;
	}

	@Override
	public String name() {
		return this.writer.name();
	}

	@Override
	public void add(Collection<? extends @Nullable Object> keys) {
		this.writer.add(keys);
	}

	@Override
	public List<@Nullable Object> known(Collection<? extends @Nullable Object> keys) {
		return this.writer.known(keys);
	}

	@Override
	public boolean remembersAbsence() {
		return this.sentinelsAreUsed || !this.listeners.areNone();
	}

	@Override
	public void mistrust(String reason) {
		this.writer.mistrustRows(reason);
	}

	@Override
	public KeyRemoval removal() {
		return this.remover.removal();
	}

	@Override
	public KeyRemoval removalIfGone() {
		return this.remover.removalIfGone();
	}

	@Override
	public TransactionalKeys transactionalKeys() {
		return this.writer.transactionalKeys();
	}

	@Override
	public @Nullable TransactionalKeys keysOfThread() {
		return KeysInTransaction.ofThread(this.writer);
	}

}
