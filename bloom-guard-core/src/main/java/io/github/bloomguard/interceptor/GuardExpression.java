package io.github.bloomguard.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * A SpEL expression of a method's annotation: parsed and checked, ready to be evaluated.
 */
final class GuardExpression implements KeyExtractor {

	static final String RESULT = "result";

	private final Expression expression;

	private final boolean usesResult;

	private final AnnotatedMethod method;

	private final StandardEvaluationContext delegates;

	GuardExpression(Expression expression, boolean usesResult, AnnotatedMethod method,
			StandardEvaluationContext delegates) {
		this.expression = expression;
		this.usesResult = usesResult;
		this.method = method;
		this.delegates = delegates;
	}

	@Override
	public @Nullable Object extract(MethodInvocation invocation, @Nullable Object result) {
		return this.expression.getValue(context(invocation, result));
	}

	@Override
	public boolean usesResult() {
		return this.usesResult;
	}

	/**
	 * Evaluate the expression as a condition.
	 */
	boolean holds(MethodInvocation invocation, @Nullable Object result) {
		return Boolean.TRUE.equals(this.expression.getValue(context(invocation, result), Boolean.class));
	}

	private EvaluationContext context(MethodInvocation invocation, @Nullable Object result) {
		ResultContext context = new ResultContext(
				new ExpressionRoot(this.method, invocation.getThis(), this.method.arguments(invocation)), this,
				invocation, result);
		this.delegates.applyDelegatesTo(context);
		return context;
	}

	@Override
	public String toString() {
		return this.expression.getExpressionString();
	}

	/**
	 * Adds the result as a variable that no parameter can hide.
	 */
	private static final class ResultContext extends MethodBasedEvaluationContext {

		private final boolean usesResult;

		private final @Nullable Object result;

		ResultContext(ExpressionRoot root, GuardExpression expression, MethodInvocation invocation,
				@Nullable Object result) {
			super(root, expression.method.method(), invocation.getArguments(),
					DefaultParameterNameDiscoverer.getSharedInstance());
			this.usesResult = expression.usesResult;
			this.result = result;
		}

		@Override
		public @Nullable Object lookupVariable(String name) {
			return (this.usesResult && RESULT.equals(name)) ? this.result : super.lookupVariable(name);
		}

	}

}
