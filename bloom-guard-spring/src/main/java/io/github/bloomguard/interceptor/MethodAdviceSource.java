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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.declaration.AnnotatedMethod;
import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.GuardDeclarations;
import io.github.bloomguard.declaration.GuardOperation;
import io.github.bloomguard.result.NothingFound;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.core.MethodClassKey;

/**
 * Makes what stands around annotated methods.
 * <p>
 * All methods of a class are read when its proxy is made; an annotation that can't work
 * is refused by an {@link InvalidGuardException} then.
 */
public final class MethodAdviceSource {

	private final GuardDeclarations declarations;

	private final GuardedMethods guardedMethods;

	private final FilterResolver filters;

	private final Executor executor;

	private final Map<MethodClassKey, MethodAdvice> advice = new ConcurrentHashMap<>();

	private final AnnotatedBeans beans;

	/**
	 * @param filters not asked before a method is called
	 * @param entities the names of the filters that are configured, each with that of the
	 * entity whose ids are its keys, empty if there is none
	 * @param ignoreUnknown whether annotations that name another filter do nothing,
	 * instead of being refused
	 * @param cacheOperations tells which methods are {@code @Cacheable}, and need no
	 * empty sentinels; may give {@code null}, and is not asked before a method is called
	 * @param executor where keys are changed after a {@code CompletableFuture} has been
	 * completed; its threads wait for Redis
	 */
	public MethodAdviceSource(ConfigurableBeanFactory beanFactory, Supplier<? extends GuardedFilters> filters,
			Supplier<? extends Map<String, String>> entities, boolean ignoreUnknown,
			Supplier<? extends @Nullable CacheOperationSource> cacheOperations, Executor executor) {
		this.declarations = new GuardDeclarations(beanFactory, entities, ignoreUnknown);
		this.executor = executor;
		this.guardedMethods = new GuardedMethods(cacheOperations);
		this.filters = new FilterResolver(filters, this.guardedMethods, new EmbeddedValueResolver(beanFactory));
		this.beans = new AnnotatedBeans(this.declarations, this);
	}

	/**
	 * Return the methods that filters guard.
	 */
	public GuardedMethods guarded() {
		return this.guardedMethods;
	}

	/**
	 * Return the keys of a method by its filters, empty where a parameter holds many.
	 */
	public Map<String, String> guards(Method method, Class<?> targetClass) {
		Map<String, String> keys = new LinkedHashMap<>();
		find(method, targetClass).guards()
			.forEach((guard) -> keys.put(guard.filter(), guard.many() ? "" : guard.key().toString()));
		return keys;
	}

	/**
	 * Return why an annotation would be refused on a method, {@code null} if it would
	 * not. Not to be asked before the method is called.
	 * @param missing what is thrown for nothing, {@code null} for what the guard knows
	 * @param cached whether its caches are those of the filter
	 */
	public @Nullable InvalidGuardException refusal(AnnotatedMethod method, String filter, String key,
			@Nullable Class<?> missing, boolean cached) {
		Map<String, Object> attributes = new HashMap<>(Map.of("filter", filter, "value", filter, "key", key));
		if (missing != null) {
			attributes.put("missing", missing);
		}
		Declaration declaration = Declaration.of(attributes, BloomGuarded.class, method);
		try {
			GuardOperation operation = this.declarations.parseSuggested(declaration);
			MethodCalls.of(declaration, this.executor);
			NothingFound.of(declaration, List.of(declaration));
			if (cached) {
				this.guardedMethods.cacheable(method).forEach(operation::checkKeyOf);
			}
			return null;
		}
		catch (InvalidGuardException ex) {
			return ex;
		}
	}

	AnnotatedBeans beans() {
		return this.beans;
	}

	MethodAdvice find(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Method method = invocation.getMethod();
		return find(method, (target != null) ? target.getClass() : method.getDeclaringClass());
	}

	MethodAdvice find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		MethodAdvice found = this.advice.get(key);
		if (found == null) {
			found = read(method, targetClass);
			if (found != MethodAdvice.NONE) {
				found = Objects.requireNonNullElse(this.advice.putIfAbsent(key, found), found);
			}
		}
		return found;
	}

	private MethodAdvice read(Method method, Class<?> targetClass) {
		List<Declaration> declarations = this.declarations.find(method, targetClass);
		if (declarations.isEmpty()) {
			return MethodAdvice.NONE;
		}
		List<GuardOperation> operations = this.declarations.parse(declarations);
		List<GuardOperation> guards = operations.stream()
			.filter((operation) -> operation.declaration().isGuard())
			.toList();
		MethodInterceptor change = change(operations.subList(guards.size(), operations.size()));
		MethodAdvice advice = new MethodAdvice(guard(declarations.get(0), guards), guards, change);
		operations.forEach(this.guardedMethods::add);
		return advice;
	}

	private @Nullable MethodInterceptor guard(Declaration first, List<GuardOperation> operations) {
		MethodCalls calls = MethodCalls.of(first, this.executor);
		if (operations.isEmpty()) {
			return calls.renew();
		}
		List<Declaration> all = operations.stream().map(GuardOperation::declaration).toList();
		return calls.guard(operations.stream().map((operation) -> {
			NothingFound nothing = NothingFound.of(operation.declaration(), all);
			return FilterCheck.of(operation, nothing,
					this.filters.asked(operation, all.size() == 1, nothing.isNoValue()));
		}).toList());
	}

	private @Nullable MethodInterceptor change(List<GuardOperation> operations) {
		if (operations.isEmpty()) {
			return null;
		}
		List<KeyChange> early = new ArrayList<>();
		List<KeyChange> late = new ArrayList<>();
		for (GuardOperation operation : operations) {
			(operation.declaration().isBefore() ? early : late)
				.add(new KeyChange(operation, this.filters.written(operation), new AtomicBoolean()));
		}
		Declaration declaration = (late.isEmpty() ? early : late).get(0).operation().declaration();
		MethodCalls.checkObservable(declaration);
		MethodCalls calls = MethodCalls.of(declaration, this.executor);
		MethodInterceptor changed = late.isEmpty() ? MethodInvocation::proceed : calls.change(late);
		return early.isEmpty() ? changed : calls.addFirst(early, changed);
	}

	/**
	 * What stands around a method.
	 *
	 * @param guard outside of its transaction
	 * @param change innermost, in its transaction
	 */
	record MethodAdvice(@Nullable MethodInterceptor guard, List<GuardOperation> guards,
			@Nullable MethodInterceptor change) {

		static final MethodAdvice NONE = new MethodAdvice(null, List.of(), null);

	}

}
