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

package io.github.bloomguard.test;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.interceptor.BloomGuardedAdvisor;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Assertions about a method of a bean: whether calls of it are guarded, by which filter
 * and with which key.
 *
 * @since 1.0.0
 */
public final class GuardedMethodAssert extends AbstractAssert<GuardedMethodAssert, Method> {

	private final Object bean;

	private final Class<?> type;

	private final Method specific;

	private @Nullable BloomGuarded guard;

	GuardedMethodAssert(Object bean, Method method) {
		super(method, GuardedMethodAssert.class);
		this.bean = bean;
		this.type = AopProxyUtils.ultimateTargetClass(bean);
		this.specific = AopUtils.getMostSpecificMethod(method, this.type);
		as("%s.%s", this.type.getSimpleName(), method.getName());
	}

	/**
	 * Verify that calls of the method are guarded by a filter. What follows is about this
	 * one, if there are several.
	 * @param filter the name of the filter
	 * @return this
	 */
	public GuardedMethodAssert isGuardedBy(String filter) {
		List<BloomGuarded> guards = guards();
		if (guards.isEmpty()) {
			throw failure("Expected a method guarded by the filter '%s', but it is not guarded", filter);
		}
		this.guard = guards.stream()
			.filter((candidate) -> candidate.filter().equals(filter))
			.findFirst()
			.orElseThrow(() -> failure("Expected a method guarded by the filter '%s', but it is guarded by %s", filter,
					guards.stream().map(BloomGuarded::filter).toList()));
		if (!isIntercepted()) {
			throw failure("Expected a method guarded by the filter '%s', but the bean is no proxy that guards it:"
					+ " get it from the context, with bloom-guard.enabled and a filter of this name", filter);
		}
		return this;
	}

	/**
	 * Verify that calls of the method are not guarded.
	 * @return this
	 */
	public GuardedMethodAssert isNotGuarded() {
		if (isIntercepted()) {
			throw failure("Expected a method that is not guarded, but it is guarded by %s",
					guards().stream().map(BloomGuarded::filter).toList());
		}
		return this;
	}

	/**
	 * Verify the key with which the filter is asked.
	 * @param expression the expression, as in the annotation; the only parameter is the
	 * key also if there is none
	 * @return this
	 */
	public GuardedMethodAssert withKey(String expression) {
		return verify("key", key(guard()), expression);
	}

	/**
	 * Verify the parameter that holds the keys with which the filter is asked.
	 * @param expression the expression, as in the annotation
	 * @return this
	 */
	public GuardedMethodAssert withKeys(String expression) {
		return verify("keys", guard().keys(), expression);
	}

	private GuardedMethodAssert verify(String attribute, String present, String expected) {
		if (!present.equals(expected)) {
			throw failureWithActualExpected(present, expected,
					"Expected the filter '%s' to be asked with the %s '%s', but it is asked with '%s'",
					guard().filter(), attribute, expected, present);
		}
		return this;
	}

	private BloomGuarded guard() {
		if (this.guard == null) {
			throw new IllegalStateException("Call isGuardedBy first: it says which filter is meant");
		}
		return this.guard;
	}

	private String key(BloomGuarded guard) {
		if (!guard.key().isEmpty() || !guard.keys().isEmpty() || this.specific.getParameterCount() != 1) {
			return guard.key();
		}
		@Nullable String @Nullable [] names = new DefaultParameterNameDiscoverer().getParameterNames(this.specific);
		return "#" + Objects.requireNonNull(names, "Compile with -parameters")[0];
	}

	private List<BloomGuarded> guards() {
		return Stream.of(this.specific, this.specific.getDeclaringClass(), this.actual, this.actual.getDeclaringClass())
			.map(GuardedMethodAssert::annotations)
			.filter((annotations) -> !annotations.isEmpty())
			.findFirst()
			.map(List::copyOf)
			.orElse(List.of());
	}

	private static Set<BloomGuarded> annotations(AnnotatedElement element) {
		return AnnotatedElementUtils.findMergedRepeatableAnnotations(element, BloomGuarded.class);
	}

	/**
	 * Return whether a proxy that the bean consists of guards the method.
	 */
	private boolean isIntercepted() {
		Object candidate = this.bean;
		while (candidate instanceof Advised advised) {
			if (Arrays.stream(advised.getAdvisors()).anyMatch(this::guards)) {
				return true;
			}
			candidate = AopProxyUtils.getSingletonTarget(advised);
		}
		return false;
	}

	private boolean guards(Advisor advisor) {
		return advisor instanceof BloomGuardedAdvisor guarding && calledAs()
			.anyMatch((method) -> guarding.getPointcut().getMethodMatcher().matches(method, this.type));
	}

	/**
	 * Return the method of the class and those of the interfaces that it may be called
	 * by.
	 */
	private Stream<Method> calledAs() {
		Stream<@Nullable Method> inherited = ClassUtils.getAllInterfacesForClassAsSet(this.bean.getClass())
			.stream()
			.map((type) -> ClassUtils.getMethodIfAvailable(type, this.actual.getName(),
					this.actual.getParameterTypes()));
		return Stream.concat(Stream.of(this.specific), inherited.flatMap(Stream::ofNullable));
	}

}
