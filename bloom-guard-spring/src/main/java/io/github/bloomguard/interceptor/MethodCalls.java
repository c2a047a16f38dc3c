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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.OptionalLibrary;
import io.github.bloomguard.declaration.ReturnTypes;
import io.github.bloomguard.result.ReadOnceResult;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;

/**
 * How calls of methods are taken that return one kind of type. What a kind needs is
 * loaded with the first method that returns it, so another kind is a class and a line
 * here, and the empty value of its types.
 */
interface MethodCalls {

	/**
	 * Return what lets calls through that the checks let pass, and answers the others.
	 */
	MethodInterceptor guard(List<FilterCheck> checks);

	/**
	 * Return what changes keys after a call, before its result is seen.
	 */
	MethodInterceptor change(List<KeyChange> changes);

	/**
	 * Return what adds keys before a call.
	 * @param call may be called on another thread, but not on another one than that of
	 * the transaction of this one
	 */
	MethodInterceptor addFirst(List<KeyChange> adds, MethodInterceptor call);

	/**
	 * Return what lets each subscription pass all that stands around the method,
	 * {@code null} if a call gives its result once. A transaction that is begun anew goes
	 * on where the one before it ended, inside of what changes keys.
	 */
	default @Nullable MethodInterceptor renew() {
		return null;
	}

	/**
	 * @param executor has threads that may wait for Redis
	 */
	static MethodCalls of(Declaration declaration, Executor executor) {
		ResolvableType type = declaration.method().returnType();
		Class<?> declared = type.toClass();
		ReactiveAdapter adapter = ReturnTypes.adapter(declared);
		if (declaration.method().isSuspending()) {
			OptionalLibrary.COROUTINES.require(declaration, "is a suspend function");
			return ReactiveCalls.ofSuspending(adapter != null && adapter.isMultiValue());
		}
		boolean readOnce = ReadOnceResult.isReplaceable(type);
		if (ReturnTypes.isFuture(declared)) {
			return CompletionStage.class.isAssignableFrom(declared) ? new FutureCalls(readOnce, executor)
					: new SynchronousCalls(readOnce);
		}
		if (adapter != null) {
			OptionalLibrary.REACTOR.require(declaration, "returns " + declared.getName());
			return ReactiveCalls.of(declaration, adapter);
		}
		return new SynchronousCalls(readOnce);
	}

	/**
	 * Refuse a method whose end can't be seen.
	 */
	static void checkObservable(Declaration declaration) {
		Class<?> declared = declaration.method().returnType().toClass();
		if (ReturnTypes.isFuture(declared) && !(CompletionStage.class.isAssignableFrom(declared)
				&& declared.isAssignableFrom(CompletableFuture.class))) {
			throw declaration.invalid("returns " + declared.getName() + ", after which nothing can be added in time",
					"return CompletableFuture instead");
		}
	}

}
