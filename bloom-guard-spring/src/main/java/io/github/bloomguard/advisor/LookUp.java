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

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A method that looks something up by a key.
 *
 * @param parameters the positions of the parameters that are the key, or parts of it
 */
public record LookUp(AnnotatedMethod method, List<Integer> parameters) {

	static LookUp of(AnnotatedMethod method, String key) {
		String variable = key.strip();
		Integer parameter = variable.startsWith("#") ? method.parameter(variable.substring(1)) : null;
		return new LookUp(method, (parameter != null) ? List.of(parameter)
				: IntStream.range(0, method.parameterCount()).boxed().toList());
	}

	/**
	 * Return the class of the bean that has the method, or the interface.
	 */
	Class<?> type() {
		Class<?> target = this.method.targetClass();
		return Proxy.isProxyClass(target) ? target.getInterfaces()[0] : target;
	}

	public List<String> names() {
		return this.parameters.stream().map(this::name).toList();
	}

	private String name(int parameter) {
		String name = this.method.parameterName(parameter);
		return name.isEmpty() ? "p" + parameter : name;
	}

	public Class<?> keyType(int part) {
		return ClassUtils.resolvePrimitiveIfNecessary(this.method.parameterType(this.parameters.get(part)).toClass());
	}

	/**
	 * Return the type of what is found, without containers; {@link Object} if unknown.
	 */
	public Class<?> resultType() {
		ResolvableType result = this.method.returnType();
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
		return this.method.ignoresCase() && keyType(part) == String.class;
	}

	boolean isInLowerCase() {
		return IntStream.range(0, this.parameters.size()).anyMatch(this::isInLowerCase);
	}

	String name() {
		return ClassUtils.getShortName(type()) + "." + this.method.name();
	}

	String qualifiedName() {
		return type().getName() + "." + this.method.signature();
	}

}
