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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.BaseStream;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.LoadPermit;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.util.Assert;

/**
 * A call on its way through the checks. It is used by one thread at a time.
 */
final class GuardedCall {

	private final ProxyMethodInvocation invocation;

	private final Function<@Nullable Object, ? extends CompletionStage<ResultContent>> content;

	private final List<FilterCheck.Passage> passages = new ArrayList<>(1);

	private @Nullable Object @Nullable [] replacedArguments;

	private @Nullable FilterCheck answeredBy;

	private Map<String, GuardedFilter> undecided = Map.of();

	private List<LoadPermit> permits = List.of();

	GuardedCall(MethodInvocation invocation) {
		this(invocation, GuardedCall::content);
	}

	/**
	 * Create a call.
	 * @param invocation the call
	 * @param content tells whether there is something in what the method returns
	 */
	GuardedCall(MethodInvocation invocation,
			Function<@Nullable Object, ? extends CompletionStage<ResultContent>> content) {
		this.invocation = (ProxyMethodInvocation) invocation;
		this.content = content;
	}

	private static CompletionStage<ResultContent> content(@Nullable Object result) {
		if (result instanceof CompletionStage<?> stage) {
			return stage.thenApply(ResultContent::of);
		}
		if (result instanceof BaseStream<?, ?> stream) {
			stream.close();
		}
		return CompletableFuture.completedFuture(ResultContent.of(result));
	}

	MethodInvocation invocation() {
		return this.invocation;
	}

	@Nullable Object argument(int index) {
		return (this.replacedArguments != null) ? this.replacedArguments[index] : this.invocation.getArguments()[index];
	}

	/**
	 * Call the method with another argument than the caller has given. Neither the
	 * caller's object nor what outer interceptors see is changed.
	 */
	void replaceArgument(int index, @Nullable Object argument) {
		if (this.replacedArguments == null) {
			this.replacedArguments = this.invocation.getArguments().clone();
		}
		this.replacedArguments[index] = argument;
	}

	/**
	 * Remember the check that the call does not pass.
	 */
	void answeredBy(FilterCheck check) {
		this.answeredBy = check;
	}

	/**
	 * Answer the call as the check says that it does not pass.
	 */
	@Nullable Object answer(EmptyValue empty) {
		Assert.state(this.answeredBy != null, "All checks have been passed");
		return this.answeredBy.answer(empty).get(this.invocation.getArguments());
	}

	/**
	 * Remember a check that the call has passed.
	 * @param check the check
	 * @param verdict what its filter has said
	 * @param passage what wants to know how the call ends, if anything
	 */
	void passed(FilterCheck check, Verdict verdict, FilterCheck.@Nullable Passage passage) {
		if (passage != null) {
			this.passages.add(passage);
		}
		if (verdict.membership() == Membership.UNKNOWN) {
			if (this.undecided.isEmpty()) {
				this.undecided = new LinkedHashMap<>();
			}
			GuardedFilter filter = check.filter();
			this.undecided.put(filter.name(), filter);
		}
	}

	/**
	 * Tell whether a filter could not tell, so that the call may be one of too many.
	 */
	boolean isUndecided() {
		return !this.undecided.isEmpty();
	}

	/**
	 * Take a permit of each filter that could not tell.
	 * @throws LoadRejectedException if one of them gives none
	 */
	GuardedCall begin() {
		if (this.undecided.isEmpty()) {
			return this;
		}
		this.permits = new ArrayList<>(this.undecided.size());
		try {
			for (GuardedFilter filter : this.undecided.values()) {
				LoadPermit permit = filter.acquire(Verdict.UNKNOWN);
				if (permit != null) {
					this.permits.add(permit);
				}
			}
			return this;
		}
		catch (LoadRejectedException ex) {
			end();
			throw ex;
		}
	}

	/**
	 * Give the permits back. To be called however the call has ended.
	 */
	void end() {
		this.permits.forEach(LoadPermit::close);
	}

	/**
	 * Give the permits back, and tell the filters what the call has failed with, if it
	 * has.
	 */
	void ended(@Nullable Throwable failure) {
		end();
		if (failure != null) {
			threw(failure);
		}
	}

	/**
	 * Go through the checks one after the other, without waiting.
	 * @return whether the call passes each of them; never completed exceptionally
	 */
	CompletableFuture<Boolean> passesAsync(List<FilterCheck> checks) {
		CompletableFuture<Boolean> passed = checks.get(0).passesAsync(this);
		for (FilterCheck check : checks.subList(1, checks.size())) {
			passed = passed
				.thenCompose((passes) -> passes ? check.passesAsync(this) : CompletableFuture.completedFuture(false));
		}
		return passed;
	}

	/**
	 * Call the method where the caller waits for it, and tell the filters how that has
	 * ended.
	 * @throws LoadRejectedException if a filter that could not tell gives no permit
	 */
	@Nullable Object load() throws Throwable {
		begin();
		try {
			Object result = (this.replacedArguments != null) ? proceed(this.invocation.invocableClone())
					: this.invocation.proceed();
			returned(result);
			return result;
		}
		catch (Throwable ex) {
			threw(ex);
			throw ex;
		}
		finally {
			end();
		}
	}

	/**
	 * Call the method when the caller has gone on already. AspectJ advice asks the thread
	 * for the call it advises, and this may be another thread.
	 * @param detached a clone of the invocation, to be used for this
	 */
	@Nullable Object proceed(MethodInvocation detached) throws Throwable {
		if (this.replacedArguments != null) {
			((ProxyMethodInvocation) detached).setArguments(this.replacedArguments);
		}
		return ExposeInvocationInterceptor.INSTANCE.invoke(detached);
	}

	/**
	 * Return what makes this call on another thread, and tells whether it has found
	 * something.
	 */
	Loader<CompletionStage<Boolean>, Throwable> auditCall() {
		MethodInvocation detached = this.invocation.invocableClone();
		return () -> this.content.apply(proceed(detached)).thenApply(ResultContent.PRESENT::equals);
	}

	/**
	 * Return what makes this call with another argument on another thread.
	 */
	Loader<CompletionStage<Boolean>, Throwable> auditCall(int index, @Nullable Object argument) {
		GuardedCall other = new GuardedCall(this.invocation, this.content);
		other.replacedArguments = (this.replacedArguments != null) ? this.replacedArguments.clone() : null;
		other.replaceArgument(index, argument);
		return other.auditCall();
	}

	/**
	 * Tell the filters what the method has returned.
	 */
	void returned(@Nullable Object result) {
		this.passages.forEach((passage) -> passage.returned(result));
	}

	/**
	 * Tell the filters what the method has failed with.
	 */
	void threw(Throwable failure) {
		this.passages.forEach((passage) -> passage.threw(failure));
	}

}
