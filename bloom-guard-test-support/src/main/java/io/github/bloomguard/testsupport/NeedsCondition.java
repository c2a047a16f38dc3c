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

package io.github.bloomguard.testsupport;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Disables classes and methods where something that they {@linkplain Needs need} is
 * missing, before the class is initialised.
 */
public final class NeedsCondition implements ExecutionCondition {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		List<String> reasons = context.getElement()
			.map(NeedsCondition::needs)
			.orElseGet(Set::of)
			.stream()
			.map(Needed::whyNot)
			.filter(Objects::nonNull)
			.toList();
		return reasons.isEmpty() ? ConditionEvaluationResult.enabled("")
				: ConditionEvaluationResult.disabled(String.join("; ", reasons));
	}

	static Set<Needed> needs(AnnotatedElement element) {
		Set<Needed> needs = EnumSet.noneOf(Needed.class);
		addOwn(element, needs);
		for (Class<?> type = (element instanceof Class<?> test) ? test : null; type != null; type = type
			.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				if (Modifier.isStatic(field.getModifiers())) {
					addOwn(field.getType(), needs);
				}
			}
		}
		return needs;
	}

	private static void addOwn(AnnotatedElement element, Set<Needed> needs) {
		Needs annotation = AnnotatedElementUtils.findMergedAnnotation(element, Needs.class);
		if (annotation != null) {
			needs.addAll(Arrays.asList(annotation.value()));
		}
	}

}
