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
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.GuardedFilters;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ResolvableType;

/**
 * Finds what the annotations of a method ask for, where {@code @Cacheable} is looked for:
 * on the method of the target class, on that class, on the method of the interface, on
 * that interface.
 * <p>
 * All methods of a class are read when its proxy is made; an annotation that can't work
 * is refused by an {@link InvalidGuardException} then.
 */
public final class GuardOperationSource {

	private final GuardOperationParser parser;

	private final EntityFilter entities;

	private final GuardedMethods guardedMethods;

	private final FilterResolver filters;

	private final Predicate<String> used;

	private final Executor executor;

	private final Map<MethodClassKey, MethodAdvice> advice = new ConcurrentHashMap<>();

	private final AnnotatedBeans beans = new AnnotatedBeans(this);

	/**
	 * @param filters not asked before a method is called
	 * @param entities the names of the filters that are configured, each with that of the
	 * class of its entity, empty if it has none
	 * @param ignoreUnknown whether annotations that name another filter do nothing,
	 * instead of being refused
	 * @param cacheOperations tells which methods are {@code @Cacheable}, and need no
	 * empty sentinels; may give {@code null}, and is not asked before a method is called
	 * @param executor where keys are changed after a {@code CompletableFuture} has been
	 * completed; its threads wait for Redis
	 */
	public GuardOperationSource(ConfigurableBeanFactory beanFactory, Supplier<? extends GuardedFilters> filters,
			Supplier<? extends Map<String, String>> entities, boolean ignoreUnknown,
			Supplier<? extends @Nullable CacheOperationSource> cacheOperations, Executor executor) {
		this.executor = executor;
		this.used = ignoreUnknown ? (filter) -> entities.get().containsKey(filter) : (filter) -> true;
		this.entities = new EntityFilter(entities);
		this.parser = new GuardOperationParser(() -> new TreeSet<>(entities.get().keySet()),
				new GuardExpressionParser(beanFactory));
		this.guardedMethods = new GuardedMethods(cacheOperations);
		this.filters = new FilterResolver(filters, this.guardedMethods, new EmbeddedValueResolver(beanFactory));
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
	 * Return whether a method finds rows in any case, by its name, so that no parameter
	 * alone may be its key.
	 */
	public static boolean ignoresCase(Method method) {
		return GuardOperationParser.ignoresCase(method);
	}

	/**
	 * Return why an annotation would be refused on a method, {@code null} if it would
	 * not. Not to be asked before the method is called.
	 * @param missing what is thrown for nothing, {@code null} for what the guard knows
	 * @param cached whether its caches are those of the filter
	 */
	public @Nullable InvalidGuardException refusal(Method method, Class<?> targetClass, String filter, String key,
			@Nullable Class<?> missing, boolean cached) {
		Map<String, Object> attributes = new HashMap<>(Map.of("filter", filter, "value", filter, "key", key));
		if (missing != null) {
			attributes.put("missing", missing);
		}
		Declaration declaration = Declaration.of(attributes, BloomGuarded.class, annotated(method, targetClass));
		try {
			GuardOperation operation = this.parser.withFilters(List.of(filter)).parse(declaration);
			MethodCalls.of(declaration, this.executor);
			NothingFound.of(declaration, emptyValue(List.of(operation)));
			if (cached) {
				this.guardedMethods.cacheable(method, targetClass)
					.forEach((cacheable) -> CacheKey.check(operation, cacheable));
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

	List<Declaration> declarations(Method method, AnnotatedMethod annotated) {
		return GuardAnnotations.of(method, annotated)
			.stream()
			.map((annotation) -> this.entities.named(new Declaration(annotation, annotated)))
			.flatMap(Optional::stream)
			.toList();
	}

	static AnnotatedMethod annotated(Method method, Class<?> targetClass) {
		return new AnnotatedMethod(
				Proxy.isProxyClass(targetClass) ? method : AopUtils.getMostSpecificMethod(method, targetClass),
				targetClass);
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
				MethodAdvice earlier = this.advice.putIfAbsent(key, found);
				found = (earlier != null) ? earlier : found;
			}
		}
		return found;
	}

	private MethodAdvice read(Method method, Class<?> targetClass) {
		List<Declaration> declarations = declarations(method, annotated(method, targetClass)).stream()
			.filter((declaration) -> this.used.test(declaration.filter()))
			.toList();
		if (declarations.isEmpty()) {
			return MethodAdvice.NONE;
		}
		refuseAddingReads(declarations);
		List<GuardOperation> operations = declarations.stream().map(this.parser::parse).toList();
		List<GuardOperation> guards = operations.stream()
			.filter((operation) -> operation.declaration().isGuard())
			.toList();
		MethodAdvice advice = new MethodAdvice(guard(guards), guards,
				change(operations.subList(guards.size(), operations.size())));
		operations.forEach(this.guardedMethods::add);
		return advice;
	}

	private static void refuseAddingReads(List<Declaration> declarations) {
		Set<String> added = declarations.stream()
			.filter((declaration) -> declaration.isOf(BloomAdd.class))
			.map(Declaration::filter)
			.collect(Collectors.toSet());
		declarations.stream()
			.filter((declaration) -> declaration.isGuard() && added.contains(declaration.filter()))
			.findFirst()
			.ifPresent((guarded) -> {
				throw guarded.invalid(
						"is on a method that adds keys to the filter '" + guarded.filter()
								+ "' as well, so a read would fail while Redis does not answer",
						"put @BloomAdd on the method that writes the row, and leave @BloomGuarded on the one that reads it");
			});
	}

	private @Nullable MethodInterceptor guard(List<GuardOperation> operations) {
		if (operations.isEmpty()) {
			return null;
		}
		EmptyValue empty = emptyValue(operations);
		return MethodCalls.of(operations.get(0).declaration(), this.executor)
			.guard(operations.stream().map((operation) -> {
				NothingFound nothing = NothingFound.of(operation.declaration(), empty);
				return FilterCheck.of(operation, nothing,
						this.filters.resolve(operation, operations.size() == 1, nothing.isNoValue()));
			}).toList());
	}

	private static EmptyValue emptyValue(List<GuardOperation> operations) {
		Declaration declaration = operations.get(0).declaration();
		ResolvableType type = declaration.method().returnType();
		ResultTypes.checkReadable(declaration, type);
		return operations.stream().allMatch((operation) -> Missing.of(operation.declaration()) != null)
				? EmptyValue.never(declaration, type) : EmptyValue.of(declaration, type);
	}

	private @Nullable MethodInterceptor change(List<GuardOperation> operations) {
		if (operations.isEmpty()) {
			return null;
		}
		List<KeyChange> early = new ArrayList<>();
		List<KeyChange> late = new ArrayList<>();
		for (GuardOperation operation : operations) {
			(operation.declaration().isBefore() ? early : late)
				.add(new KeyChange(operation, this.filters.resolve(operation)));
		}
		Declaration declaration = (late.isEmpty() ? early : late).get(0).operation().declaration();
		ResultTypes.checkObservable(declaration, declaration.method().returnType());
		MethodCalls calls = MethodCalls.of(declaration, this.executor);
		MethodInterceptor changed = late.isEmpty() ? MethodInvocation::proceed : calls.change(late);
		return early.isEmpty() ? changed : calls.addFirst(early, changed);
	}

	/**
	 * What stands around a method.
	 *
	 * @param change innermost, in its transaction
	 */
	record MethodAdvice(@Nullable MethodInterceptor guard, List<GuardOperation> guards,
			@Nullable MethodInterceptor change) {

		static final MethodAdvice NONE = new MethodAdvice(null, List.of(), null);

	}

}
