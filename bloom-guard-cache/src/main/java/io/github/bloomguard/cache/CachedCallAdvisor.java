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

package io.github.bloomguard.cache;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.core.Ordered;

/**
 * Tells guarded caches which values were loaded by the call of a cached method: outside
 * Spring's advisor, where the call begins, and inside it, where an asynchronous result is
 * returned.
 */
public final class CachedCallAdvisor extends BeanFactoryCacheOperationSourceAdvisor {

	private static final long serialVersionUID = 1L;

	private CachedCallAdvisor(CacheOperationSource source, MethodInterceptor advice, int order) {
		setCacheOperationSource(source);
		setAdvice(advice);
		setOrder(order);
	}

	public static CachedCallAdvisor outer(CacheOperationSource source) {
		return new CachedCallAdvisor(source, (invocation) -> begin(source, invocation), Ordered.LOWEST_PRECEDENCE - 50);
	}

	/**
	 * Create the advisor inside Spring's own, which must be registered before it: both
	 * may have the lowest precedence.
	 */
	public static CachedCallAdvisor inner(CacheOperationSource source) {
		return new CachedCallAdvisor(source, CachedCallAdvisor::follow, Ordered.LOWEST_PRECEDENCE);
	}

	private static @Nullable Object begin(CacheOperationSource source, MethodInvocation invocation) throws Throwable {
		CachedCall call = new CachedCall(source, invocation);
		boolean later = AsyncResults.areReturnedBy(invocation.getMethod());
		if (later) {
			call.attach();
		}
		CachedCall outer = call.begin();
		Object result = null;
		try {
			result = invocation.proceed();
		}
		finally {
			call.end(outer);
			call.repeatEvictions();
			if (!later || result == null) {
				call.over();
			}
		}
		return (later && result != null) ? AsyncResults.ending(call, result) : result;
	}

	private static @Nullable Object follow(MethodInvocation invocation) throws Throwable {
		CachedCall.invoked();
		CachedCall call = AsyncResults.areReturnedBy(invocation.getMethod()) ? CachedCall.of(invocation) : null;
		if (call == null) {
			return invocation.proceed();
		}
		LoadChain outer = LoadChain.begin(call.chain());
		try {
			Object result = invocation.proceed();
			return (result != null) ? AsyncResults.within(call, result) : null;
		}
		catch (Throwable ex) {
			call.failed(ex);
			throw ex;
		}
		finally {
			LoadChain.end(outer);
		}
	}

}
