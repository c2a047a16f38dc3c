package io.github.bloomguard.interceptor;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What {@code #root} is in an expression.
 */
final class ExpressionRoot {

	static final List<String> PROPERTIES = List.of("method", "methodName", "target", "targetClass", "args");

	private final AnnotatedMethod method;

	private final @Nullable Object target;

	private final @Nullable Object[] args;

	ExpressionRoot(AnnotatedMethod method, @Nullable Object target, @Nullable Object[] args) {
		this.method = method;
		this.target = target;
		this.args = args;
	}

	public Method getMethod() {
		return this.method.method();
	}

	public String getMethodName() {
		return this.method.method().getName();
	}

	public @Nullable Object getTarget() {
		return this.target;
	}

	public Class<?> getTargetClass() {
		return this.method.targetClass();
	}

	public @Nullable Object[] getArgs() {
		return this.args;
	}

}
