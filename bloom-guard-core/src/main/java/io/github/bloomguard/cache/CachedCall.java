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

import java.util.HashMap;
import java.util.Map;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

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

	private final boolean shared;

	private volatile Map<EntryKey, Flight> misses = Map.of();

	CachedCall(boolean shared) {
		this.shared = shared;
	}

	static @Nullable CachedCall current() {
		return CURRENT.get();
	}

	@Nullable CachedCall begin() {
		CachedCall outer = CURRENT.get();
		CURRENT.set(this);
		return outer;
	}

	static void end(@Nullable CachedCall outer) {
		if (outer != null) {
			CURRENT.set(outer);
		}
		else {
			CURRENT.remove();
		}
	}

	void run(Runnable part) {
		CachedCall outer = begin();
		try {
			part.run();
		}
		finally {
			end(outer);
		}
	}

	void attachTo(MethodInvocation invocation) {
		((ProxyMethodInvocation) invocation).setUserAttribute(ATTRIBUTE, this);
	}

	static @Nullable CachedCall of(MethodInvocation invocation) {
		return (CachedCall) ((ProxyMethodInvocation) invocation).getUserAttribute(ATTRIBUTE);
	}

	boolean isShared() {
		return this.shared;
	}

	void failed(Throwable failure) {
		this.misses.values().forEach((flight) -> flight.crashed(failure));
	}

	/**
	 * Note by which flight an entry is loaded that was not found.
	 */
	void missed(EntryKey entry, Flight flight) {
		Map<EntryKey, Flight> more = new HashMap<>(this.misses);
		more.put(entry, flight);
		this.misses = more;
	}

	@Nullable Flight loadOf(EntryKey entry) {
		return this.misses.get(entry);
	}

}
