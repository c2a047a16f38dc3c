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

package io.github.bloomguard.backend.memory;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * The sentinels of one filter, which are read without a lock.
 */
record MemoryEmptySentinels(FilterMemory memory, FilterSettings settings, Origin origin) implements EmptySentinels {

	@Override
	public boolean areNone() {
		return this.memory.sentinels().isEmpty();
	}

	@Override
	public CompletableFuture<Boolean> contains(String key, String scope) {
		return CompletableFuture.completedFuture(this.memory.sentinels()
			.contains(key, this.origin.value(), scope, this.memory.record().epoch(), this.memory.now()));
	}

	@Override
	public CompletableFuture<Boolean> containsAny(String key, String end) {
		return CompletableFuture.completedFuture(this.memory.sentinels()
			.containsAny(key, end, this.origin.value(), this.memory.record().epoch(), this.memory.now()));
	}

	@Override
	public CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch) {
		return this.memory.step((now) -> {
			if (epoch > 0 && epoch == this.memory.record().epoch() && now
					- this.memory.record().journalSince() >= this.settings.adding().longestTransaction().toMillis()
					&& !this.memory.journal()
						.isAddedSince(key, now - this.settings.adding().addedRetention().toMillis())) {
				this.memory.sentinels().put(key, this.origin.value(), scope, epoch, ttl, now);
			}
			return null;
		});
	}

}
