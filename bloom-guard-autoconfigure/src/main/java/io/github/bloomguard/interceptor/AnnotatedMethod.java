package io.github.bloomguard.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * An annotated method as its expressions and its messages see it.
 */
final class AnnotatedMethod {

	private final Method method;

	private final Class<?> targetClass;

	private final Map<String, Integer> parameters;

	AnnotatedMethod(Method method, Class<?> targetClass) {
		this.method = method;
		this.targetClass = ClassUtils.getUserClass(targetClass);
		this.parameters = Collections.unmodifiableMap(parameters(method));
	}

	/**
	 * Number the parameters as {@code MethodBasedEvaluationContext} does, so that both
	 * agree even if a parameter is called {@code p1}.
	 */
	private static Map<String, Integer> parameters(Method method) {
		@Nullable String[] names = DefaultParameterNameDiscoverer.getSharedInstance().getParameterNames(method);
		Map<String, Integer> parameters = new LinkedHashMap<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			parameters.put("a" + i, i);
			parameters.put("p" + i, i);
			String name = (names != null) ? names[i] : null;
			if (name != null) {
				parameters.put(name, i);
			}
		}
		return parameters;
	}

	Method method() {
		return this.method;
	}

	Class<?> targetClass() {
		return this.targetClass;
	}

	int parameterCount() {
		return this.method.getParameterCount();
	}

	/**
	 * Return the names under which an expression can refer to a parameter.
	 */
	Set<String> parameterNames() {
		return this.parameters.keySet();
	}

	/**
	 * Return the position of a parameter.
	 * @param name its name, or {@code p0} or {@code a0}
	 */
	@Nullable Integer parameter(String name) {
		return this.parameters.get(name);
	}

	ResolvableType parameterType(int index) {
		return ResolvableType.forMethodParameter(this.method, index, this.targetClass);
	}

	ResolvableType returnType() {
		return ResolvableType.forMethodReturnType(this.method, this.targetClass);
	}

	@Override
	public String toString() {
		String types = Arrays.stream(this.method.getParameterTypes())
			.map(ClassUtils::getShortName)
			.collect(Collectors.joining(", "));
		return ClassUtils.getShortName(this.method.getDeclaringClass()) + "." + this.method.getName() + "(" + types
				+ ")";
	}

}
