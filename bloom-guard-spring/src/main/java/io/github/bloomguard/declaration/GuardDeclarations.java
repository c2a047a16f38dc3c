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

package io.github.bloomguard.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Finds what the annotations of a method ask for, where {@code @Cacheable} is looked for:
 * on the method of the target class, on that class, on the method of the interface, on
 * that interface.
 */
public final class GuardDeclarations {

	private final Map<Class<?>, Boolean> annotatedTypes = new ConcurrentHashMap<>();

	private final EntityFilter entities;

	private final Predicate<String> used;

	private final GuardOperationParser parser;

	/**
	 * @param entities gives the names of the filters that are configured, each with that
	 * of the class of its entity, empty if it has none; asked once, when the first
	 * annotation is read
	 * @param ignoreUnknown whether annotations that name another filter do nothing,
	 * instead of being refused
	 */
	public GuardDeclarations(BeanFactory beanFactory, Supplier<? extends Map<String, String>> entities,
			boolean ignoreUnknown) {
		Supplier<NavigableMap<String, String>> filters = SingletonSupplier.of(() -> new TreeMap<>(entities.get()));
		this.entities = new EntityFilter(filters);
		this.used = ignoreUnknown ? (filter) -> filters.get().containsKey(filter) : (filter) -> true;
		this.parser = new GuardOperationParser(() -> filters.get().navigableKeySet(),
				new GuardExpressionParser(beanFactory));
	}

	/**
	 * Return the methods of a class that may have annotations. Most classes have none,
	 * and looking at what their methods inherit takes time.
	 */
	public List<Method> candidates(Class<?> targetClass) {
		return TypeHierarchy.of(targetClass).noneMatch(this::hasAnnotations) ? List.of()
				: TypeHierarchy.of(ClassUtils.getUserClass(targetClass))
					.filter((type) -> !Proxy.isProxyClass(type))
					.flatMap((type) -> Arrays.stream(ReflectionUtils.getDeclaredMethods(type)))
					.toList();
	}

	private boolean hasAnnotations(Class<?> type) {
		return this.annotatedTypes.computeIfAbsent(type,
				(declaring) -> AnnotationUtils.isCandidateClass(declaring, GuardAnnotations.TYPES)
						&& GuardAnnotations.areDeclaredBy(declaring));
	}

	/**
	 * Return the annotations of a method: first those that ask a filter, then those that
	 * add keys, then those that remove some.
	 */
	public List<Declaration> find(Method method, Class<?> targetClass) {
		AnnotatedMethod annotated = AnnotatedMethod.of(method, targetClass);
		return GuardAnnotations.of(method, annotated)
			.stream()
			.map((annotation) -> this.entities.named(new Declaration(annotation, annotated)))
			.flatMap(Optional::stream)
			.filter((declaration) -> this.used.test(declaration.filter()))
			.toList();
	}

	/**
	 * @throws InvalidGuardException if one can't work
	 */
	public List<GuardOperation> parse(List<Declaration> declarations) {
		refuseAddingReads(declarations);
		return declarations.stream().map(this.parser::parse).toList();
	}

	/**
	 * Parse a declaration as if there was its filter.
	 * @throws InvalidGuardException if it can't work
	 */
	public GuardOperation parseSuggested(Declaration declaration) {
		return this.parser.withFilters(List.of(declaration.filter())).parse(declaration);
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

}
