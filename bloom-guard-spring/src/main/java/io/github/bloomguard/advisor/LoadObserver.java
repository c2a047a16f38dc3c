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

package io.github.bloomguard.advisor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.declaration.AnnotatedMethod;
import io.github.bloomguard.declaration.ReturnTypes;
import io.github.bloomguard.interceptor.MethodAdviceSource;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;

/**
 * Knows the methods whose loads are counted: those with a key that are {@code @Cacheable}
 * or {@code @BloomGuarded}, unless a filter answers for them or they are reactive,
 * {@code suspend} functions or take many keys.
 */
public final class LoadObserver {

	private final Map<MethodClassKey, ObservedMethod> methods = new ConcurrentHashMap<>();

	private final List<Consumer<ObservedMethod>> listeners = new CopyOnWriteArrayList<>();

	private final MethodAdviceSource guards;

	private final Supplier<? extends KnownFilters> filters;

	public LoadObserver(MethodAdviceSource guards, Supplier<? extends KnownFilters> filters) {
		this.guards = guards;
		this.filters = filters;
	}

	public Map<String, ObservedMethod> methods() {
		List<ObservedMethod> all = List.copyOf(this.methods.values());
		Map<String, ObservedMethod> named = new TreeMap<>();
		for (ObservedMethod method : all) {
			String name = method.lookUp().name();
			boolean unique = all.stream().filter((other) -> other.lookUp().name().equals(name)).count() == 1;
			named.put(unique ? name : method.lookUp().qualifiedName(), method);
		}
		return named;
	}

	/**
	 * Notify of each method at least once, also of those that have been called already.
	 */
	public void listen(Consumer<ObservedMethod> listener) {
		this.listeners.add(listener);
		this.methods.values().forEach(listener);
	}

	@Nullable ObservedMethod find(Method method, Class<?> targetClass) {
		return this.methods.get(new MethodClassKey(method, targetClass));
	}

	boolean observe(Method method, Class<?> targetClass) {
		ObservedMethod observed = read(method, targetClass);
		if (observed != null && this.methods.putIfAbsent(new MethodClassKey(method, targetClass), observed) == null) {
			this.listeners.forEach((listener) -> listener.accept(observed));
		}
		return observed != null;
	}

	private @Nullable ObservedMethod read(Method method, Class<?> targetClass) {
		Map<String, String> guards = this.guards.guards(method, targetClass);
		List<CacheableOperation> cacheable = this.guards.guarded().cacheable(method, targetClass).toList();
		if ((guards.isEmpty() && cacheable.isEmpty()) || guards.containsValue("") || isReactive(method)) {
			return null;
		}
		KnownFilters filters = this.filters.get();
		if (guards.keySet().stream().anyMatch((filter) -> filters.mode(filter) == FilterMode.ENFORCE)) {
			return null;
		}
		Map.Entry<String, String> guard = guards.entrySet().stream().findFirst().orElse(null);
		String key = (guard != null) ? guard.getValue() : cacheable.get(0).getKey();
		LookUp lookUp = LookUp.of(AnnotatedMethod.of(method, targetClass), key);
		List<String> caches = cacheable.stream()
			.flatMap((operation) -> operation.getCacheNames().stream())
			.distinct()
			.toList();
		return lookUp.parameters().isEmpty() ? null : new ObservedMethod(lookUp, caches,
				(guard != null) ? guard.getKey() : null, filters, this.guards::refusal, System::nanoTime);
	}

	private static boolean isReactive(Method method) {
		Class<?> type = method.getReturnType();
		return KotlinDetector.isSuspendingFunction(method)
				|| (ReturnTypes.adapter(type) != null && !ReturnTypes.isFuture(type));
	}

}
