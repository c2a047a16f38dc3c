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

import java.lang.reflect.Method;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * A SpEL expression of an annotation: parsed and checked, ready to be evaluated.
 *
 * @param argument the position of the argument that it gives as it is, or {@code null}
 */
public record GuardExpression(Expression expression, @Nullable Integer argument, boolean usesResult,
		AnnotatedMethod method, StandardEvaluationContext delegates) {

	static final String RESULT = "result";

	public @Nullable Object evaluate(MethodInvocation invocation, @Nullable Object result) {
		return (this.argument != null) ? invocation.getArguments()[this.argument]
				: this.expression.getValue(context(invocation, result));
	}

	public boolean holds(MethodInvocation invocation, @Nullable Object result) {
		return Boolean.TRUE.equals(this.expression.getValue(context(invocation, result), Boolean.class));
	}

	public boolean isArgument() {
		return this.argument != null;
	}

	private EvaluationContext context(MethodInvocation invocation, @Nullable Object result) {
		ResultContext context = new ResultContext(this, invocation, result);
		this.delegates.applyDelegatesTo(context);
		return context;
	}

	@Override
	public String toString() {
		return this.expression.getExpressionString();
	}

	record Source(Declaration declaration, String attribute, String text) {

		private static final String CONDITION = "condition";

		Source(Declaration declaration, String attribute) {
			this(declaration, attribute, declaration.text(attribute));
		}

		Source instead(String other) {
			return new Source(this.declaration, this.attribute, other);
		}

		boolean isCondition() {
			return CONDITION.equals(this.attribute);
		}

		/**
		 * Return whether it is evaluated only if a condition holds.
		 */
		boolean isConditional() {
			return !isCondition() && this.declaration.has(CONDITION);
		}

		boolean hasResult() {
			return !this.declaration.isBefore();
		}

		boolean isResult(String name) {
			return hasResult() && RESULT.equals(name);
		}

		ResolvableType variable(String name) {
			if (isResult(name)) {
				ResolvableType result = ReturnTypes.result(method().returnType());
				if (ReturnTypes.isNothing(result.toClass())) {
					throw invalid("uses #result, but the method returns nothing",
							"return the new row, or use a parameter");
				}
				return result;
			}
			Integer parameter = method().parameter(name);
			if (parameter == null) {
				throw invalid(
						RESULT.equals(name) ? "uses #result, which there is not before the method is called"
								: "uses #" + name + ", which is no parameter of it",
						"use " + variables() + " (a parameter has a name only if it is compiled with -parameters)");
			}
			return method().parameterType(parameter);
		}

		private String variables() {
			return Stream
				.concat(method().parameterNames().stream(), hasResult() ? Stream.of(RESULT, "root") : Stream.of("root"))
				.distinct()
				.collect(Collectors.joining(", #", "one of #", ""));
		}

		String insteadOfRoot(String name) {
			return (isResult(name) || method().parameter(name) != null) ? "write #" + name + " for the variable"
					: "use " + variables() + " with method, methodName, target, targetClass or args";
		}

		InvalidGuardException invalid(String complaint, String remedy) {
			return invalid(complaint, remedy, null);
		}

		InvalidGuardException invalid(String complaint, String remedy, @Nullable Throwable cause) {
			return this.declaration.invalid(this.attribute, this.text, complaint, remedy, cause);
		}

		AnnotatedMethod method() {
			return this.declaration.method();
		}

	}

	record Root(Method method, String methodName, @Nullable Object target, Class<?> targetClass,
			@Nullable Object[] args) {

		static Root of(AnnotatedMethod method, MethodInvocation invocation) {
			return new Root(method.method(), method.name(), invocation.getThis(), method.targetClass(),
					method.arguments(invocation));
		}

	}

	/**
	 * Adds the result as a variable that no parameter can hide.
	 */
	private static final class ResultContext extends MethodBasedEvaluationContext {

		private final boolean usesResult;

		private final @Nullable Object result;

		ResultContext(GuardExpression expression, MethodInvocation invocation, @Nullable Object result) {
			super(Root.of(expression.method, invocation), expression.method.method(), invocation.getArguments(),
					AnnotatedMethod.PARAMETER_NAMES);
			this.usesResult = expression.usesResult;
			this.result = result;
		}

		@Override
		public @Nullable Object lookupVariable(String name) {
			return (this.usesResult && RESULT.equals(name)) ? this.result : super.lookupVariable(name);
		}

	}

}
