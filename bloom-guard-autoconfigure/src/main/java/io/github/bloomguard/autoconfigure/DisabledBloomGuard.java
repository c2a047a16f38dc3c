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

package io.github.bloomguard.autoconfigure;

import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import org.jspecify.annotations.Nullable;

/**
 * Knows nothing and lets everything pass, whatever filter is named.
 */
final class DisabledBloomGuard implements BloomGuard {

	@Override
	public boolean mightContain(String filter, @Nullable Object key) {
		return true;
	}

	@Override
	public Membership membership(String filter, @Nullable Object key) {
		return Membership.UNKNOWN;
	}

	@Override
	public void add(String filter, @Nullable Object... keys) {
	}

	@Override
	public void remove(String filter, @Nullable Object... keys) {
	}

	@Override
	public <T, X extends Throwable> @Nullable T get(String filter, @Nullable Object key,
			Loader<? extends @Nullable T, X> loader) throws X {
		return loader.load();
	}

	@Override
	public CompletableFuture<Void> rebuild(String filter) {
		return CompletableFuture.completedFuture(null);
	}

}
