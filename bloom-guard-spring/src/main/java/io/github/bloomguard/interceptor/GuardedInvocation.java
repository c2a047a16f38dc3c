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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.BaseStream;

import io.github.bloomguard.Loader;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.result.ReadOnceResult;
import io.github.bloomguard.result.ResultContent;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * A call on its way through the checks, used by one thread at a time.
 */
class GuardedInvocation extends GuardedCall {

	private final ProxyMethodInvocation invocation;

	private @Nullable Object @Nullable [] replacedArguments;

	GuardedInvocation(MethodInvocation invocation) {
		this.invocation = (ProxyMethodInvocation) invocation;
	}

	/**
	 * Return what is in a result that was not shown to the caller.
	 */
	CompletionStage<ResultContent> content(@Nullable Object result) {
		if (result instanceof CompletionStage<?> stage) {
			return stage.thenApply(ResultContent::of);
		}
		if (result instanceof BaseStream<?, ?> stream) {
			stream.close();
		}
		return CompletableFuture.completedFuture(ResultContent.of(result));
	}

	final MethodInvocation invocation() {
		return this.invocation;
	}

	final @Nullable Object argument(int index) {
		return (this.replacedArguments != null) ? this.replacedArguments[index] : this.invocation.getArguments()[index];
	}

	/**
	 * Change neither the caller's object nor what outer interceptors see.
	 */
	final void replaceArgument(int index, @Nullable Object argument) {
		if (this.replacedArguments == null) {
			this.replacedArguments = this.invocation.getArguments().clone();
		}
		this.replacedArguments[index] = argument;
	}

	final @Nullable Object answer(FilterCheck answering) {
		return answering.nothing().answer(this.invocation.getArguments());
	}

	/**
	 * Go through the checks one after the other, and return the one that answers, empty
	 * if the call passes all. Never fails.
	 */
	final Answer<Optional<FilterCheck>> answering(List<FilterCheck> checks) {
		Answer<Optional<FilterCheck>> answering = checks.get(0).answering(this);
		for (int i = 1; i < checks.size(); i++) {
			FilterCheck check = checks.get(i);
			answering = answering.then((by) -> by.isEmpty() ? check.answering(this) : Answer.of(by));
		}
		return answering;
	}

	@SuppressWarnings("NullAway") // what is loaded may be null, which Loader says by its
									// type
	final @Nullable Object load() throws Throwable {
		return load(() -> (this.replacedArguments != null) ? proceed(this.invocation.invocableClone())
				: this.invocation.proceed());
	}

	final @Nullable Object watched(@Nullable Object result) {
		return isOfInterest() ? ReadOnceResult.watch(result, this::returned) : result;
	}

	/**
	 * AspectJ advice asks the thread for its call, and this may be another thread.
	 */
	@SuppressWarnings("NullAway") // as above
	final @Nullable Object proceed(MethodInvocation detached) throws Throwable {
		if (this.replacedArguments != null) {
			((ProxyMethodInvocation) detached).setArguments(this.replacedArguments);
		}
		return within(() -> ExposeInvocationInterceptor.INSTANCE.invoke(detached));
	}

	final Loader<CompletionStage<Boolean>, Throwable> verifyingCall() {
		return verifyingCall(this);
	}

	/**
	 * Return a copy that is not made, from which other calls may be made at any time.
	 */
	final GuardedInvocation detached() {
		GuardedInvocation detached = new GuardedInvocation(this.invocation.invocableClone());
		detached.replacedArguments = (this.replacedArguments != null) ? this.replacedArguments.clone() : null;
		return detached;
	}

	final Loader<CompletionStage<Boolean>, Throwable> verifyingCall(int index, @Nullable Object argument) {
		GuardedInvocation other = new GuardedInvocation(this.invocation);
		other.replacedArguments = (this.replacedArguments != null) ? this.replacedArguments.clone() : null;
		other.replaceArgument(index, argument);
		return verifyingCall(other);
	}

	private Loader<CompletionStage<Boolean>, Throwable> verifyingCall(GuardedInvocation call) {
		MethodInvocation detached = this.invocation.invocableClone();
		return () -> content(call.proceed(detached)).thenApply(ResultContent.PRESENT::equals);
	}

}
