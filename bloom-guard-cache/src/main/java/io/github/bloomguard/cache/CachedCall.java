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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.ThreadTransaction;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.cache.interceptor.CacheEvictOperation;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CachePutOperation;
import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One call of a method that has cache annotations. What is put into a cache during the
 * call for a key that it has missed was loaded by it.
 * <p>
 * The innermost call is bound to the thread that works for it, which is another one when
 * an asynchronous result arrives. These threads come one after the other: a miss is noted
 * before the method is called, and the value is put after that.
 */
final class CachedCall {

	private static final String ATTRIBUTE = CachedCall.class.getName();

	private static final ThreadLocal<@Nullable CachedCall> CURRENT = new ThreadLocal<>();

	private final @Nullable GuardedCall guarded = GuardedCall.current();

	private final CacheOperationSource source;

	private final MethodInvocation invocation;

	private volatile boolean waitedInVain;

	private volatile List<Runnable> evictions = List.of();

	private volatile Map<EntryKey, Missed> misses = Map.of();

	private volatile Map<EntryKey, byte[]> found = Map.of();

	private volatile boolean invoked;

	private volatile @Nullable AfterCommit afterCommit;

	private volatile boolean over;

	CachedCall(CacheOperationSource source, MethodInvocation invocation) {
		this.source = source;
		this.invocation = invocation;
	}

	private boolean has(Predicate<CacheOperation> wanted) {
		Object target = this.invocation.getThis();
		Collection<CacheOperation> operations = this.source.getCacheOperations(this.invocation.getMethod(),
				(target != null) ? AopUtils.getTargetClass(target) : null);
		return operations != null && operations.stream().anyMatch(wanted);
	}

	static @Nullable CachedCall current() {
		return CURRENT.get();
	}

	/**
	 * Return the call of a guarded method that the cached one is part of.
	 */
	static @Nullable GuardedCall guarded() {
		CachedCall call = CURRENT.get();
		return (call != null) ? call.guarded : null;
	}

	@Nullable CachedCall begin() {
		CachedCall outer = CURRENT.get();
		CURRENT.set(this);
		return outer;
	}

	void end(@Nullable CachedCall outer) {
		AfterCommit afterCommit = this.afterCommit;
		if (afterCommit != null && ThreadTransaction.isActive()) {
			TransactionSynchronizationManager.registerSynchronization(afterCommit.end());
		}
		// not removed: each call would make the thread's entry anew
		CURRENT.set(outer);
	}

	void run(Runnable part) {
		CachedCall outer = begin();
		try {
			repeatEvictions();
			part.run();
		}
		finally {
			end(outer);
		}
	}

	void attach() {
		((ProxyMethodInvocation) this.invocation).setUserAttribute(ATTRIBUTE, this);
	}

	static @Nullable CachedCall of(MethodInvocation invocation) {
		return (CachedCall) ((ProxyMethodInvocation) invocation).getUserAttribute(ATTRIBUTE);
	}

	/**
	 * Return whether callers who come meanwhile share what it loads.
	 */
	boolean isShared() {
		return AsyncResults.areReturnedBy(this.invocation.getMethod())
				&& has((operation) -> operation instanceof CacheableOperation cacheable && cacheable.isSync());
	}

	/**
	 * Note how to evict once more what was evicted.
	 */
	void evicted(Runnable again) {
		if (has((operation) -> operation instanceof CacheEvictOperation evict && evict.isBeforeInvocation())) {
			List<Runnable> more = new ArrayList<>(this.evictions);
			more.add(again);
			this.evictions = more;
		}
	}

	void repeatEvictions() {
		this.evictions.forEach(Runnable::run);
	}

	/**
	 * Note that Redis did not answer, so that one call does not wait twice.
	 */
	void waitedInVain() {
		this.waitedInVain = true;
	}

	boolean hasWaitedInVain() {
		return this.waitedInVain;
	}

	void failed(Throwable failure) {
		this.misses.values().forEach((missed) -> missed.flight().crashed(failure));
	}

	/**
	 * Note by which flight an entry is loaded that was not found.
	 * @param returns where its token is given back if nothing is put
	 */
	void missed(EntryKey entry, Flight flight, TokenReturns returns) {
		this.misses = with(this.misses, entry, new Missed(flight, returns));
		bindAfterCommit();
	}

	/**
	 * Return the loads that others wait for and the call is part of, {@code null} if
	 * there are none.
	 */
	@Nullable LoadChain chain() {
		return this.misses.values()
			.stream()
			.map((missed) -> missed.flight().leader())
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Note that the call has its result, and what it has loaded was put; where a
	 * transaction puts it, that is so when it has ended, too.
	 */
	void over() {
		this.over = true;
		giveTokensBack();
	}

	private void giveTokensBack() {
		AfterCommit afterCommit = this.afterCommit;
		if (!this.misses.isEmpty() && this.over && (afterCommit == null || afterCommit.completed)) {
			this.misses.forEach((entry, missed) -> {
				if (missed.flight().settle()) {
					missed.returns().add(entry, missed.flight().token());
				}
			});
		}
	}

	/**
	 * Note that the method itself is called, so that what it does with caches is not the
	 * interceptor's.
	 */
	static void invoked() {
		CachedCall call = CURRENT.get();
		if (call != null) {
			call.invoked = true;
		}
	}

	/**
	 * Note what an entry has, and return it.
	 */
	byte @Nullable [] found(EntryKey entry, byte @Nullable [] value) {
		if (value != null && !this.invoked) {
			this.found = with(this.found, entry, value);
			bindAfterCommit();
		}
		return value;
	}

	private void bindAfterCommit() {
		if (this.afterCommit == null && CURRENT.get() == this && ThreadTransaction.isActive()) {
			this.afterCommit = new AfterCommit();
			TransactionSynchronizationManager.registerSynchronization(this.afterCommit);
		}
	}

	/**
	 * Return what the thread's call has found and puts all the same, because it could not
	 * be deserialized and the application's {@code CacheErrorHandler} lets the call go
	 * on: as it was no miss, the load has no token. A method that puts may replace it.
	 */
	static byte @Nullable [] unreadable(EntryKey entry) {
		CachedCall call = CURRENT.get();
		byte[] value = (call != null) ? call.found.get(entry) : null;
		return (value == null || call.has(CachePutOperation.class::isInstance)) ? null : value;
	}

	private static <T> Map<EntryKey, T> with(Map<EntryKey, T> known, EntryKey entry, T one) {
		if (known.isEmpty()) {
			return Map.of(entry, one);
		}
		Map<EntryKey, T> more = new HashMap<>(known);
		more.put(entry, one);
		return more;
	}

	/**
	 * Return the flight by which the call has loaded an entry, {@code null} for what
	 * replaces it: a method that only puts may have missed it, too, before its update.
	 */
	@Nullable Flight loadOf(EntryKey entry) {
		Missed missed = this.misses.get(entry);
		if (missed == null
				|| (has(CachePutOperation.class::isInstance) && !has(CacheableOperation.class::isInstance))) {
			return null;
		}
		missed.flight().settle();
		return missed.flight();
	}

	/**
	 * Binds the call again after the commit, where a cache manager that takes part in
	 * transactions puts what was loaded: after this, which was registered when the cache
	 * was asked, and before its end, which is registered at that of the call.
	 */
	private final class AfterCommit implements TransactionSynchronization {

		private boolean bound;

		private volatile boolean completed;

		private @Nullable CachedCall outer;

		@Override
		public void afterCommit() {
			this.outer = begin();
			this.bound = true;
		}

		@Override
		public void afterCompletion(int status) {
			unbind();
			this.completed = true;
			giveTokensBack();
		}

		TransactionSynchronization end() {
			return new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					unbind();
				}

			};
		}

		private void unbind() {
			if (this.bound) {
				this.bound = false;
				CURRENT.set(this.outer);
			}
		}

	}

	private record Missed(Flight flight, TokenReturns returns) {

	}

}
