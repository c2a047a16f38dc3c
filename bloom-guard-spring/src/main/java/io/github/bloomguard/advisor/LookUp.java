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

package io.github.bloomguard.advisor;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import io.github.bloomguard.declaration.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A method that looks something up by a key.
 *
 * @param type the class or interface of the bean that has it
 * @param parameters the positions of the parameters that are the key, or parts of it
 */
public record LookUp(Method method, Class<?> type, List<Integer> parameters) {

	private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

	static LookUp of(Method method, Class<?> targetClass, String key) {
		Class<?> type = Proxy.isProxyClass(targetClass) ? targetClass.getInterfaces()[0]
				: ClassUtils.getUserClass(targetClass);
		List<Integer> all = IntStream.range(0, method.getParameterCount()).boxed().toList();
		return new LookUp(method, type,
				all.stream().filter((index) -> isNamed(key, method, index)).findFirst().map(List::of).orElse(all));
	}

	private static boolean isNamed(String expression, Method method, int index) {
		return List.of("#" + name(method, index), "#p" + index, "#a" + index).contains(expression.strip());
	}

	private static String name(Method method, int index) {
		@Nullable String[] names = PARAMETER_NAMES.getParameterNames(method);
		String name = (names != null) ? names[index] : null;
		return (name != null) ? name : "p" + index;
	}

	public List<String> names() {
		return this.parameters.stream().map((index) -> name(this.method, index)).toList();
	}

	public Class<?> keyType(int part) {
		return ClassUtils.resolvePrimitiveIfNecessary(
				ResolvableType.forMethodParameter(this.method, this.parameters.get(part), this.type).toClass());
	}

	/**
	 * Return the type of what is found, without containers; {@link Object} if unknown.
	 */
	public Class<?> resultType() {
		ResolvableType result = ResolvableType.forMethodReturnType(this.method, this.type);
		while (isContainer(result.toClass()) && result.hasGenerics()) {
			result = result.getGeneric(result.getGenerics().length - 1);
		}
		return result.toClass();
	}

	private static boolean isContainer(Class<?> type) {
		return type == Optional.class || CompletionStage.class.isAssignableFrom(type)
				|| Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
	}

	int hashCodeOfKey(@Nullable Object[] arguments) {
		return (this.parameters.size() == 1)
				? Arrays.deepHashCode(new @Nullable Object[] { arguments[this.parameters.get(0)] })
				: Arrays.deepHashCode(this.parameters.stream().map((index) -> arguments[index]).toArray());
	}

	String key() {
		List<String> variables = IntStream.range(0, this.parameters.size())
			.mapToObj((part) -> "#" + names().get(part) + (isInLowerCase(part) ? ".toLowerCase()" : ""))
			.toList();
		return (variables.size() == 1) ? variables.get(0) : "{" + String.join(", ", variables) + "}";
	}

	/**
	 * Return whether a part of the key has to be in lower case, as the guard refuses text
	 * as it is where the method finds rows in any case.
	 */
	boolean isInLowerCase(int part) {
		return AnnotatedMethod.ignoresCase(this.method) && keyType(part) == String.class;
	}

	boolean isInLowerCase() {
		return IntStream.range(0, this.parameters.size()).anyMatch(this::isInLowerCase);
	}

	String name() {
		return ClassUtils.getShortName(this.type) + "." + this.method.getName();
	}

	String qualifiedName() {
		return this.type.getName() + "." + this.method.getName() + "(" + String.join(", ",
				Arrays.stream(this.method.getParameterTypes()).map(ClassUtils::getShortName).toList()) + ")";
	}

}
