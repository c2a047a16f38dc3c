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

package io.github.bloomguard.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.SimpleReflectiveProcessor;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tells a native image what is done by reflection with an annotated method: its
 * expressions read properties, keys may be records, and the exception for a missing row
 * and the empty value of the result are made.
 */
final class GuardedMethodProcessor extends SimpleReflectiveProcessor {

	private final BindingReflectionHintsRegistrar properties = new BindingReflectionHintsRegistrar();

	@Override
	protected void registerTypeHint(ReflectionHints hints, Class<?> type) {
		super.registerTypeHint(hints, type);
		registerMissing(hints, type);
		ReflectionUtils.doWithMethods(type, (method) -> registerMethodHint(hints, method),
				ReflectionUtils.USER_DECLARED_METHODS);
	}

	@Override
	protected void registerMethodHint(ReflectionHints hints, Method method) {
		super.registerMethodHint(hints, method);
		registerMissing(hints, method);
		this.properties.registerReflectionHints(hints, method.getGenericParameterTypes());
		this.properties.registerReflectionHints(hints, method.getGenericReturnType());
		registerEmptyValue(hints, method.getReturnType());
	}

	private static void registerMissing(ReflectionHints hints, AnnotatedElement element) {
		MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
			.stream(BloomGuarded.class)
			.map((annotation) -> annotation.getClass("missing"))
			.filter((type) -> type != BloomGuarded.NoException.class)
			.forEach((type) -> hints.registerType(type, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS));
	}

	private static void registerEmptyValue(ReflectionHints hints, Class<?> type) {
		if (!type.isPrimitive() && !type.isInterface()) {
			hints.registerType(type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
		}
		registerFactory(hints, ClassUtils.getMethodIfAvailable(type, "empty"));
		registerFactory(hints, ClassUtils.getMethodIfAvailable(type, "of"));
	}

	private static void registerFactory(ReflectionHints hints, @Nullable Method method) {
		if (method != null && Modifier.isStatic(method.getModifiers())) {
			hints.registerMethod(method, ExecutableMode.INVOKE);
		}
	}

}
