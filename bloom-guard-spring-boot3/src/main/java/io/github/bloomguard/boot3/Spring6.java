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

package io.github.bloomguard.boot3;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.declaration.SpringVersion;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;

/**
 * Spring 6.2, which knows the nullness of Kotlin, but not JSpecify's.
 */
public final class Spring6 implements SpringVersion {

	@Override
	public boolean isNeverNull(Method method) {
		if (KotlinDetector.isKotlinType(method.getDeclaringClass())) {
			return KotlinDetector.isKotlinReflectPresent() && !new MethodParameter(method, -1).isOptional();
		}
		return !isAnnotated(method, "Nullable") && (isAnnotated(method, "NonNull") || isMarked(method));
	}

	private static boolean isAnnotated(Method method, String name) {
		return Stream.of(method.getAnnotations(), method.getAnnotatedReturnType().getAnnotations())
			.flatMap(Stream::of)
			.anyMatch((annotation) -> annotation.annotationType().getSimpleName().equals(name));
	}

	private static boolean isMarked(Method method) {
		List<AnnotatedElement> scopes = new ArrayList<>(List.of(method));
		for (Class<?> type = method.getDeclaringClass(); type != null; type = type.getEnclosingClass()) {
			scopes.add(type);
		}
		scopes.add(method.getDeclaringClass().getPackage());
		return scopes.stream()
			.filter((scope) -> scope.isAnnotationPresent(NullMarked.class)
					|| scope.isAnnotationPresent(NullUnmarked.class))
			.findFirst()
			.filter((scope) -> scope.isAnnotationPresent(NullMarked.class))
			.isPresent();
	}

}
