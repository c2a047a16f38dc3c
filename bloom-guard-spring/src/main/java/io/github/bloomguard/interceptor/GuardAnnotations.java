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

import java.io.Closeable;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.annotation.BloomRemove;

import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

record GuardAnnotations(Set<BloomGuarded> guarded, Set<BloomAdd> added, Set<BloomRemove> removed) {

	static final List<Class<? extends Annotation>> TYPES = List.of(BloomGuarded.class, BloomAdd.class,
			BloomRemove.class);

	private static final GuardAnnotations NONE = new GuardAnnotations(Set.of(), Set.of(), Set.of());

	private static final Set<Class<?>> CALLBACKS = Set.of(InitializingBean.class, DisposableBean.class, Closeable.class,
			AutoCloseable.class);

	static GuardAnnotations of(Method method, Method specific, Class<?> targetClass) {
		if (ReflectionUtils.isObjectMethod(method) || !ClassUtils.isUserLevelMethod(specific)) {
			return NONE; // Kotlin copies annotations to methods that it adds
		}
		for (Method candidate : (specific != method) ? List.of(specific, method) : List.of(method)) {
			GuardAnnotations annotations = of(candidate);
			if (!annotations.isEmpty()) {
				if (!isReachable(specific)) {
					throw new Declaration(annotations.first(), new AnnotatedMethod(specific, targetClass)).invalid(
							"is on a private or static method, which no proxy can intercept",
							"annotate a method that other beans call");
				}
				return annotations;
			}
			annotations = of(candidate.getDeclaringClass());
			if (!annotations.isEmpty() && isReachable(specific) && !isConfigurationCallback(specific, targetClass)) {
				return annotations;
			}
		}
		return NONE;
	}

	static boolean areDeclaredBy(Class<?> type) {
		return arePresent(type) || Arrays.stream(type.getDeclaredMethods()).anyMatch(GuardAnnotations::arePresent);
	}

	private static boolean arePresent(AnnotatedElement element) {
		if (element.getDeclaredAnnotations().length == 0) {
			return false;
		}
		MergedAnnotations annotations = MergedAnnotations.from(element);
		return TYPES.stream().anyMatch(annotations::isPresent);
	}

	/**
	 * Find annotations, also meta-annotations and those on interfaces. As with
	 * {@code @Cacheable}, of several those on the element itself win.
	 */
	static GuardAnnotations of(AnnotatedElement element) {
		GuardAnnotations found = new GuardAnnotations(
				AnnotatedElementUtils.findMergedRepeatableAnnotations(element, BloomGuarded.class),
				AnnotatedElementUtils.findMergedRepeatableAnnotations(element, BloomAdd.class),
				AnnotatedElementUtils.findMergedRepeatableAnnotations(element, BloomRemove.class));
		if (found.size() > 1) {
			GuardAnnotations local = new GuardAnnotations(
					AnnotatedElementUtils.getMergedRepeatableAnnotations(element, BloomGuarded.class),
					AnnotatedElementUtils.getMergedRepeatableAnnotations(element, BloomAdd.class),
					AnnotatedElementUtils.getMergedRepeatableAnnotations(element, BloomRemove.class));
			return local.isEmpty() ? found : local;
		}
		return found;
	}

	/**
	 * Name the filters of annotations that ask for that of an entity, and leave out those
	 * whose entity has none.
	 */
	GuardAnnotations byEntity(EntityFilter filters, AnnotatedMethod method) {
		if (this.guarded.stream().noneMatch(BloomGuarded::byEntity)) {
			return this;
		}
		Declaration declaration = new Declaration(BloomGuarded.class, method);
		Set<BloomGuarded> named = new LinkedHashSet<>();
		for (BloomGuarded annotation : this.guarded) {
			if (!annotation.byEntity()) {
				named.add(annotation);
			}
			else if (!annotation.filter().isEmpty()) {
				throw declaration.invalid("filter", annotation.filter(), "has byEntity = true as well",
						"write one of the two", null);
			}
			else {
				filters.find(declaration).map((filter) -> named(annotation, filter)).ifPresent(named::add);
			}
		}
		return new GuardAnnotations(named, this.added, this.removed);
	}

	private static BloomGuarded named(BloomGuarded annotation, String filter) {
		Map<String, Object> attributes = AnnotationUtils.getAnnotationAttributes(annotation);
		attributes.putAll(Map.of("filter", filter, "value", filter, "byEntity", false));
		return AnnotationUtils.synthesizeAnnotation(attributes, BloomGuarded.class, null);
	}

	GuardAnnotations of(Predicate<String> filters) {
		return new GuardAnnotations(of(this.guarded, BloomGuarded::filter, filters),
				of(this.added, BloomAdd::filter, filters), of(this.removed, BloomRemove::filter, filters));
	}

	private static <A> Set<A> of(Set<A> annotations, Function<A, String> filter, Predicate<String> filters) {
		return annotations.stream()
			.filter((annotation) -> filters.test(filter.apply(annotation)))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private static boolean isReachable(Method method) {
		return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
	}

	/**
	 * An annotation on the class does not mean methods that the container calls.
	 */
	private static boolean isConfigurationCallback(Method method, Class<?> targetClass) {
		return ClassUtils.getAllInterfacesForClassAsSet(targetClass)
			.stream()
			.filter((type) -> CALLBACKS.contains(type) || Aware.class.isAssignableFrom(type))
			.anyMatch((type) -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()));
	}

	/**
	 * Return what is asked of which filter.
	 */
	Set<String> operations() {
		Set<String> operations = new HashSet<>();
		this.guarded.forEach((annotation) -> operations.add("ask " + annotation.filter()));
		this.added.forEach((annotation) -> operations.add("add to " + annotation.filter()));
		this.removed.forEach((annotation) -> operations.add("remove from " + annotation.filter()));
		return operations;
	}

	boolean isEmpty() {
		return size() == 0;
	}

	Class<? extends Annotation> first() {
		return !this.guarded.isEmpty() ? BloomGuarded.class
				: !this.added.isEmpty() ? BloomAdd.class : BloomRemove.class;
	}

	private int size() {
		return this.guarded.size() + this.added.size() + this.removed.size();
	}

}
