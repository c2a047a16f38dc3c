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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.KeyRemoval;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ObjectUtils;

final class ChangingMethod {

	private final List<KeyChange> changes;

	private final boolean future;

	private final @Nullable ReactiveCalls reactive;

	ChangingMethod(Declaration declaration, List<KeyChange> changes) {
		ResolvableType type = declaration.method().returnType();
		ResultTypes.checkObservable(declaration, type);
		ReactiveAdapter adapter = ResultTypes.reactive(declaration, type);
		this.changes = changes;
		this.future = CompletionStage.class.isAssignableFrom(type.toClass());
		this.reactive = (adapter != null) ? new ReactiveCalls(adapter) : null;
	}

	/**
	 * Call the method, and change the keys before its result is seen.
	 */
	@Nullable Object invoke(MethodInvocation invocation, Executor executor) throws Throwable {
		if (this.reactive != null) {
			return this.reactive.change(invocation, invocation.proceed(), this.changes);
		}
		List<BegunChange> begun = begin(this.changes);
		Object result = invocation.proceed();
		if (this.future && result instanceof CompletionStage<?> stage) {
			return FutureCalls.after(stage, (value) -> applyAll(begun, invocation, value, Transaction.OF_THREAD),
					executor);
		}
		applyAll(begun, invocation, result, Transaction.OF_THREAD);
		return result;
	}

	/**
	 * Decide what is to be done, before the method does anything.
	 */
	static List<BegunChange> begin(List<KeyChange> changes) {
		return changes.stream().map(KeyChange::begin).toList();
	}

	/**
	 * Any failure fails the call: a key that is silently not added hides a row.
	 */
	static void applyAll(List<BegunChange> changes, MethodInvocation invocation, @Nullable Object result,
			Transaction transaction) {
		Object unwrapped = ObjectUtils.unwrapOptional(result);
		for (BegunChange change : changes) {
			List<@Nullable Object> keys = change.operation().keys(invocation, unwrapped);
			if (!keys.isEmpty()) {
				change.effect().apply(transaction, keys);
			}
		}
	}

	sealed interface KeyChange permits Adding, Removing {

		KeyOperation operation();

		BegunChange begin();

	}

	record Adding(KeyOperation operation, Supplier<GuardedFilter> filter) implements KeyChange {

		@Override
		public BegunChange begin() {
			return new BegunChange(this.operation, (transaction, keys) -> {
				GuardedFilter filter = this.filter.get();
				transaction.add(filter, filter.known(keys));
			});
		}

	}

	record Removing(KeyOperation operation, Supplier<GuardedFilter> filter) implements KeyChange {

		@Override
		public BegunChange begin() {
			KeyRemoval removal = this.filter.get().removal();
			return new BegunChange(this.operation, (transaction, keys) -> transaction.remove(removal, keys));
		}

	}

	record BegunChange(KeyOperation operation, Effect effect) {

	}

	@FunctionalInterface
	interface Effect {

		void apply(Transaction transaction, List<@Nullable Object> keys);

	}

	interface Transaction {

		Transaction OF_THREAD = new Transaction() {

			@Override
			public void add(GuardedFilter filter, List<@Nullable Object> keys) {
				filter.add(keys);
			}

			@Override
			public void remove(KeyRemoval removal, List<@Nullable Object> keys) {
				removal.remove(keys);
			}

		};

		void add(GuardedFilter filter, List<@Nullable Object> keys);

		void remove(KeyRemoval removal, List<@Nullable Object> keys);

	}

}
