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

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.data.repository.Repository;
import org.springframework.util.ClassUtils;

/**
 * A method that has annotations, as the class of its bean inherits it.
 */
public final class AnnotatedMethod {

	static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

	/**
	 * As {@code CrudRepository} and {@code JpaRepository} call them.
	 */
	private static final Set<String> BY_ID = Set.of("existsById", "findAllById", "findById", "getReferenceById");

	private static final Pattern IGNORING_CASE = Pattern.compile("Ignor(e|ing)Case");

	private final Method method;

	private final Class<?> targetClass;

	private final boolean suspending;

	private final @Nullable String[] names;

	private final Map<String, Integer> parameters;

	AnnotatedMethod(Method method, Class<?> targetClass) {
		this.method = method;
		this.targetClass = ClassUtils.getUserClass(targetClass);
		this.suspending = KotlinDetector.isSuspendingFunction(method);
		this.names = Objects.requireNonNullElseGet(PARAMETER_NAMES.getParameterNames(method),
				() -> new @Nullable String[method.getParameterCount()]);
		this.parameters = Collections.unmodifiableMap(parameters(this.names, parameterCount()));
	}

	/**
	 * Return the most specific method of a class, except of a proxy, whose methods have
	 * no annotations of their own.
	 */
	public static AnnotatedMethod of(Method method, Class<?> targetClass) {
		return new AnnotatedMethod(
				Proxy.isProxyClass(targetClass) ? method : AopUtils.getMostSpecificMethod(method, targetClass),
				targetClass);
	}

	/**
	 * Number the parameters as {@code MethodBasedEvaluationContext} does, so that both
	 * agree even if a parameter is called {@code p1}.
	 */
	private static Map<String, Integer> parameters(@Nullable String[] names, int count) {
		Map<String, Integer> parameters = new LinkedHashMap<>();
		for (int i = 0; i < count; i++) {
			parameters.put("a" + i, i);
			parameters.put("p" + i, i);
			String name = names[i];
			if (name != null) {
				parameters.put(name, i);
			}
		}
		return parameters;
	}

	public Method method() {
		return this.method;
	}

	public String name() {
		return this.method.getName();
	}

	public Class<?> targetClass() {
		return this.targetClass;
	}

	/**
	 * Return whether it is a Kotlin {@code suspend} function. Advice sees a {@code Mono}
	 * or a {@code Flux} in the place of its result, which the proxy turns back.
	 */
	public boolean isSuspending() {
		return this.suspending;
	}

	public int parameterCount() {
		return this.method.getParameterCount() - (this.suspending ? 1 : 0);
	}

	@Nullable Object[] arguments(MethodInvocation invocation) {
		@Nullable Object[] arguments = invocation.getArguments();
		return this.suspending ? Arrays.copyOf(arguments, parameterCount()) : arguments;
	}

	Set<String> parameterNames() {
		return this.parameters.keySet();
	}

	/**
	 * Return the position of a parameter, {@code null} if none has the name.
	 */
	public @Nullable Integer parameter(String name) {
		return this.parameters.get(name);
	}

	/**
	 * Return the name of a parameter, empty if it is not compiled with it.
	 */
	public String parameterName(int parameter) {
		return Objects.requireNonNullElse(this.names[parameter], "");
	}

	public ResolvableType parameterType(int index) {
		return ResolvableType.forMethodParameter(this.method, index, this.targetClass);
	}

	/**
	 * Only its own class knows the result of a {@code suspend} function.
	 */
	public ResolvableType returnType() {
		if (!this.suspending) {
			return ResolvableType.forMethodReturnType(this.method, this.targetClass);
		}
		MethodParameter result = new MethodParameter(this.method, -1);
		return (result.getParameterType() == void.class) ? ResolvableType.forClass(void.class)
				: ResolvableType.forType(result.getGenericParameterType(),
						ResolvableType.forClass(this.targetClass).as(this.method.getDeclaringClass()));
	}

	/**
	 * Return whether it finds rows in any case, by its name, so that no parameter alone
	 * may be its key.
	 */
	public boolean ignoresCase() {
		return IGNORING_CASE.matcher(name()).find();
	}

	public boolean isKotlin() {
		return KotlinDetector.isKotlinType(this.method.getDeclaringClass());
	}

	public boolean isNeverNull() {
		return SpringVersion.CURRENT.isNeverNull(this.method);
	}

	/**
	 * Return whether Spring Data looks whether its result is {@code null}.
	 */
	public boolean isOfRepository() {
		return !this.suspending && !this.method.isDefault() && OptionalLibrary.SPRING_DATA.isPresent()
				&& Repository.class.isAssignableFrom(this.targetClass);
	}

	/**
	 * Return the entity that the method of a repository finds by its id, as far as that
	 * is one of those which repositories have.
	 */
	public @Nullable Class<?> entityFoundById() {
		return (BY_ID.contains(name()) && isOfRepository())
				? ResolvableType.forClass(this.targetClass).as(Repository.class).getGeneric(0).resolve() : null;
	}

	/**
	 * Return the name of the class. That of a proxy is another one in each instance, so
	 * its interfaces stand for it.
	 */
	String target() {
		return Proxy.isProxyClass(this.targetClass) ? ClassUtils.classNamesToString(this.targetClass.getInterfaces())
				: this.targetClass.getName();
	}

	/**
	 * Return what is the same in each instance, but for no other method. No name has a
	 * semicolon.
	 */
	public String identity() {
		return String.join(";", target(), this.method.getDeclaringClass().getName(), name(),
				MethodType.methodType(void.class, this.method.getParameterTypes()).descriptorString());
	}

	/**
	 * Return the name and the types of the parameters, in short.
	 */
	public String signature() {
		return Arrays.stream(this.method.getParameterTypes())
			.limit(parameterCount())
			.map(ClassUtils::getShortName)
			.collect(Collectors.joining(", ", name() + "(", ")"));
	}

	@Override
	public String toString() {
		return ClassUtils.getShortName(this.method.getDeclaringClass()) + "." + signature();
	}

}
