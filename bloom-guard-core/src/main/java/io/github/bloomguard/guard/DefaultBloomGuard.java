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

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedCall.CheckOutcome;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.VerifiedAnswer;
import io.github.bloomguard.call.WrittenFilter;
import org.jspecify.annotations.Nullable;

/**
 * Hands each request to the filter that it names.
 */
public final class DefaultBloomGuard implements BloomGuard {

	private final ManagedFilters filters;

	public DefaultBloomGuard(ManagedFilters filters) {
		this.filters = filters;
	}

	@Override
	public boolean mightContain(String filter, @Nullable Object key) {
		return this.filters.get(filter).mightContain(key);
	}

	@Override
	public Membership membership(String filter, @Nullable Object key) {
		return this.filters.get(filter).membership(key);
	}

	@Override
	public void add(String filter, @Nullable Object... keys) {
		WrittenFilter written = this.filters.written(filter);
		written.add(written.known(each(keys)));
	}

	@Override
	public void remove(String filter, @Nullable Object... keys) {
		this.filters.written(filter).removal().remove(each(keys));
	}

	private static List<@Nullable Object> each(@Nullable Object @Nullable [] keys) {
		return (keys != null) ? Arrays.asList(keys) : Collections.singletonList(null);
	}

	@Override
	public <T, X extends Throwable> @Nullable T get(String filter, @Nullable Object key,
			Loader<? extends @Nullable T, X> loader) throws X {
		GuardedFilter guarded = this.filters.get(filter);
		if (key == null) {
			return loader.load();
		}
		Decision decided = guarded.check(key).await();
		VerifiedAnswer verified = guarded.draw(key, decided);
		boolean wrong = verified != null
				&& !verified.stands(() -> CompletableFuture.completedFuture(loader.load() != null)).await();
		if (decided.answered() && !wrong) {
			return null;
		}
		Decision verdict = wrong ? Decision.LET_THROUGH : decided;
		GuardedCall call = new GuardedCall();
		call.passed(new CheckOutcome(guarded, verdict) {

			@Override
			protected Object key() {
				return key;
			}

			@Override
			protected void returned(@Nullable Object result) {
				guarded.loaded(key, verdict, result == null, result == null && call.isInTransaction());
			}

		});
		return call.load(loader);
	}

	@Override
	public CompletableFuture<Void> rebuild(String filter) {
		return this.filters.require(filter).warmUp().rebuild();
	}

}
