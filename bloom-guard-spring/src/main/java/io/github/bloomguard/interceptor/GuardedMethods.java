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

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.declaration.AnnotatedMethod;
import io.github.bloomguard.declaration.GuardOperation;
import io.github.bloomguard.declaration.ReturnTypes;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.util.StringUtils;

/**
 * The methods that filters guard, of the beans that have been made, and what caches ask
 * for them. Not to be asked before all beans have been made, unless noted.
 */
public final class GuardedMethods {

	private final Supplier<? extends @Nullable CacheOperationSource> cacheOperations;

	private final Map<String, Set<GuardOperation>> operations = new ConcurrentHashMap<>();

	GuardedMethods(Supplier<? extends @Nullable CacheOperationSource> cacheOperations) {
		this.cacheOperations = cacheOperations;
	}

	void add(GuardOperation operation) {
		this.operations.computeIfAbsent(operation.filter(), (name) -> ConcurrentHashMap.newKeySet()).add(operation);
	}

	private Stream<GuardOperation> operations(String filter) {
		return this.operations.getOrDefault(filter, Set.of()).stream();
	}

	private Stream<AnnotatedMethod> guarded(String filter) {
		return guards(filter).map((operation) -> operation.declaration().method());
	}

	private Stream<GuardOperation> guards(String filter) {
		return operations(filter).filter((operation) -> operation.declaration().isGuard());
	}

	/**
	 * Return whether a method has an annotation of a filter.
	 */
	public boolean areThere(String filter, Class<? extends Annotation> annotation) {
		return operations(filter).anyMatch((operation) -> operation.declaration().isOf(annotation));
	}

	/**
	 * Return the methods that a filter guards.
	 */
	public List<String> names(String filter) {
		return guarded(filter).map(AnnotatedMethod::toString).sorted().toList();
	}

	/**
	 * Return the keys that methods ask a filter for, add and remove, as far as their
	 * declarations tell.
	 */
	public List<AskedKey> askedKeys(String filter) {
		return operations(filter).map(GuardOperation::askedKey).flatMap(Optional::stream).distinct().toList();
	}

	/**
	 * Return the entities that methods find by their ids which a filter guards, as far as
	 * repositories tell.
	 */
	public Set<Class<?>> entitiesFoundById(String filter) {
		return guarded(filter).map(AnnotatedMethod::entityFoundById)
			.filter(Objects::nonNull)
			.collect(Collectors.toSet());
	}

	/**
	 * Return the caches of the {@code @Cacheable} methods that a filter guards.
	 */
	public Set<String> caches(String filter) {
		return names(guarded(filter).flatMap(this::cacheable));
	}

	/**
	 * Return those of these caches that store it if nothing was found, as far as
	 * annotations tell.
	 */
	public Set<String> cachesOfNulls(String filter) {
		return names(guards(filter).filter((operation) -> !operation.many())
			.map((operation) -> operation.declaration().method())
			.filter((method) -> ReturnTypes.isSingle(method.returnType()))
			.flatMap(this::cacheable)
			.filter((operation) -> !StringUtils.hasText(operation.getUnless())));
	}

	private static Set<String> names(Stream<CacheableOperation> caches) {
		return caches.flatMap((operation) -> operation.getCacheNames().stream())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Refuse {@code @Cacheable} methods that a filter guards by another key than that of
	 * their cache: no added key would clear their null entries.
	 * @throws InvalidGuardException if there is one, as far as annotations tell
	 */
	public void checkCacheKeys(String filter, Collection<String> caches) {
		guards(filter).forEach((operation) -> cacheable(operation.declaration().method())
			.filter((cacheable) -> !Collections.disjoint(cacheable.getCacheNames(), caches))
			.forEach(operation::checkKeyOf));
	}

	boolean isCacheable(AnnotatedMethod method) {
		return cacheable(method).findAny().isPresent();
	}

	Stream<CacheableOperation> cacheable(AnnotatedMethod method) {
		return cacheable(method.method(), method.targetClass());
	}

	/**
	 * Return what caches ask for a method, which need not be guarded. Not to be asked
	 * before it is called.
	 */
	public Stream<CacheableOperation> cacheable(Method method, Class<?> targetClass) {
		return Optional.<CacheOperationSource>ofNullable(this.cacheOperations.get())
			.map((source) -> source.getCacheOperations(method, targetClass))
			.stream()
			.flatMap(Collection::stream)
			.filter(CacheableOperation.class::isInstance)
			.map(CacheableOperation.class::cast);
	}

}
