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

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.util.function.SingletonSupplier;

final class FilterResolver {

	private static final int SCOPE_BYTES = 16;

	private final Supplier<? extends GuardedFilters> filters;

	private final Supplier<? extends @Nullable CacheOperationSource> cacheOperations;

	private final Map<String, Set<GuardOperation>> guarded = new ConcurrentHashMap<>();

	FilterResolver(Supplier<? extends GuardedFilters> filters,
			Supplier<? extends @Nullable CacheOperationSource> cacheOperations) {
		this.filters = filters;
		this.cacheOperations = cacheOperations;
	}

	Supplier<GuardedFilter> resolve(KeyOperation operation) {
		return SingletonSupplier.of(() -> this.filters.get().get(operation.filter()));
	}

	/**
	 * Return what gives the filter that is asked.
	 * <p>
	 * A method has empty sentinels if finding nothing means that the key is not there: it
	 * asks one filter, its only argument is the key, and it returns one thing rather than
	 * many. An {@code emptyTtl} says that this holds although it doesn't look so; for a
	 * cached method only if nothing is an exception, which a cache does not remember.
	 * @param throwing whether nothing is an exception
	 */
	Supplier<GuardedFilter> resolve(GuardOperation operation, boolean single, boolean throwing) {
		AnnotatedMethod method = operation.declaration().method();
		this.guarded.computeIfAbsent(operation.filter(), (name) -> ConcurrentHashMap.newKeySet()).add(operation);
		return SingletonSupplier.of(() -> {
			GuardedFilter filter = this.filters.get().get(operation.filter());
			Duration emptyTtl = operation.emptyTtl();
			if (!single || (isCacheable(method) && (emptyTtl == null || !throwing))
					|| (emptyTtl == null && !isAboutTheKeyOnly(operation.key(), method))) {
				return filter.withEmptyTtl(Duration.ZERO);
			}
			GuardedFilter scoped = filter.scopedTo(scope(method));
			return (emptyTtl != null) ? scoped.withEmptyTtl(emptyTtl) : scoped;
		});
	}

	private static boolean isAboutTheKeyOnly(@Nullable GuardExpression key, AnnotatedMethod method) {
		return key != null && key.isArgument() && method.parameterCount() == 1
				&& ResultTypes.isSingle(method.returnType());
	}

	/**
	 * Short, because it is kept with each sentinel, and that of no other method, which
	 * would answer for this one.
	 */
	private static String scope(AnnotatedMethod method) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256")
				.digest(method.identity().getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash, 0, SCOPE_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java has SHA-256", ex);
		}
	}

	boolean isGuarding(String filter) {
		return this.guarded.containsKey(filter);
	}

	List<String> methods(String filter) {
		return this.guarded.getOrDefault(filter, Set.of())
			.stream()
			.map((operation) -> operation.declaration().method().toString())
			.sorted()
			.toList();
	}

	List<AskedKey> askedKeys(String filter) {
		return this.guarded.getOrDefault(filter, Set.of())
			.stream()
			.map(AskedKeys::of)
			.flatMap(Optional::stream)
			.toList();
	}

	Set<String> caches(String filter) {
		return this.guarded.getOrDefault(filter, Set.of())
			.stream()
			.flatMap((operation) -> cacheable(operation.declaration().method()))
			.flatMap((operation) -> operation.getCacheNames().stream())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	void checkKeys(String filter, Collection<String> caches) {
		for (GuardOperation operation : this.guarded.getOrDefault(filter, Set.of())) {
			cacheable(operation.declaration().method())
				.filter((cacheable) -> !Collections.disjoint(cacheable.getCacheNames(), caches))
				.forEach((cacheable) -> CacheKey.check(operation, cacheable));
		}
	}

	private boolean isCacheable(AnnotatedMethod method) {
		return cacheable(method).findAny().isPresent();
	}

	private Stream<CacheableOperation> cacheable(AnnotatedMethod method) {
		return cacheable(method.method(), method.targetClass());
	}

	Stream<CacheableOperation> cacheable(Method method, Class<?> targetClass) {
		CacheOperationSource source = this.cacheOperations.get();
		Collection<CacheOperation> operations = (source != null) ? source.getCacheOperations(method, targetClass)
				: null;
		return ((operations != null) ? operations : List.<CacheOperation>of()).stream()
			.filter(CacheableOperation.class::isInstance)
			.map(CacheableOperation.class::cast);
	}

}
