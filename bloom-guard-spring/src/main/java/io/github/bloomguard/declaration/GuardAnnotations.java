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

import java.io.Closeable;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.annotation.BloomRemove;

import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotations of methods.
 */
final class GuardAnnotations {

	static final List<Class<? extends Annotation>> TYPES = List.of(BloomGuarded.class, BloomAdd.class,
			BloomRemove.class);

	private static final Set<Class<?>> CALLBACKS = Set.of(InitializingBean.class, DisposableBean.class, Closeable.class,
			AutoCloseable.class);

	private GuardAnnotations() {
	}

	static Set<Annotation> of(Method method, AnnotatedMethod annotated) {
		Method specific = annotated.method();
		if (ReflectionUtils.isObjectMethod(method) || !ClassUtils.isUserLevelMethod(specific)) {
			return Set.of(); // Kotlin copies annotations to methods that it adds
		}
		for (Method candidate : (specific != method) ? List.of(specific, method) : List.of(method)) {
			Set<Annotation> annotations = of(candidate);
			if (!annotations.isEmpty()) {
				if (!isReachable(specific)) {
					throw new Declaration(annotations.iterator().next(), annotated).invalid(
							"is on a private or static method, which no proxy can intercept",
							"annotate a method that other beans call");
				}
				return annotations;
			}
			annotations = of(candidate.getDeclaringClass());
			if (!annotations.isEmpty() && isReachable(specific)
					&& !isConfigurationCallback(specific, annotated.targetClass())) {
				return annotations;
			}
		}
		return Set.of();
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
	static Set<Annotation> of(AnnotatedElement element) {
		Set<Annotation> found = ofEachType(element, AnnotatedElementUtils::findMergedRepeatableAnnotations);
		if (found.size() > 1) {
			Set<Annotation> local = ofEachType(element, AnnotatedElementUtils::getMergedRepeatableAnnotations);
			return local.isEmpty() ? found : local;
		}
		return found;
	}

	private static Set<Annotation> ofEachType(AnnotatedElement element,
			BiFunction<AnnotatedElement, Class<? extends Annotation>, Set<? extends Annotation>> search) {
		return TYPES.stream()
			.flatMap((type) -> search.apply(element, type).stream())
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

}
