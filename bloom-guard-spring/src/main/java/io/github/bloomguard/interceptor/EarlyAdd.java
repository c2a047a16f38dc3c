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

package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilter;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A {@code @BloomAdd} that adds its keys before the method is called.
 */
record EarlyAdd(KeyOperation operation, Supplier<GuardedFilter> filter) {

	/**
	 * Add the keys of a call that is still to be made. Waits for Redis.
	 * @return to be run when the call has ended, however it did: a rebuild that began
	 * meanwhile may know the keys no more, and not have found the rows yet
	 */
	static Runnable addAll(List<EarlyAdd> adds, MethodInvocation invocation, KeyChange.Transaction transaction) {
		List<Runnable> ends = adds.stream().map((add) -> add.add(invocation, transaction)).toList();
		return () -> ends.forEach(Runnable::run);
	}

	private Runnable add(MethodInvocation invocation, KeyChange.Transaction transaction) {
		List<@Nullable Object> keys = this.operation.keys(invocation, null);
		GuardedFilter added = this.filter.get();
		return keys.isEmpty() ? () -> {
		} : transaction.addFirst(added, added.known(keys));
	}

}
