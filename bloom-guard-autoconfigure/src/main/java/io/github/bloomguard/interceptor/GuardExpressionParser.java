package io.github.bloomguard.interceptor;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Parses the expressions of annotations and refuses those that can't work.
 */
final class GuardExpressionParser {

	private static final Set<String> ROOT_METHODS = Arrays.stream(ExpressionRoot.class.getMethods())
		.map((method) -> method.getName())
		.collect(Collectors.toUnmodifiableSet());

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final StandardEvaluationContext delegates = new StandardEvaluationContext();

	GuardExpressionParser(BeanFactory beanFactory) {
		this.delegates.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	/**
	 * Parse the expression of a key.
	 * @param declaration where it stands
	 * @param text the expression
	 * @param withResult whether it may use the result
	 */
	KeyExtractor key(Declaration declaration, String text, boolean withResult) {
		SpelExpression expression = parse(declaration, "key", text);
		Integer argument = argument(declaration, expression, withResult);
		return (argument != null) ? new ArgumentKey(argument) : check(declaration, "key", text, expression, withResult);
	}

	/**
	 * Parse the expression of a condition.
	 * @param declaration where it stands
	 * @param text the expression
	 * @param withResult whether it may use the result
	 */
	GuardExpression condition(Declaration declaration, String text, boolean withResult) {
		return check(declaration, "condition", text, parse(declaration, "condition", text), withResult);
	}

	/**
	 * Parse what can be nothing but the name of a parameter.
	 * @param declaration where it stands
	 * @param attribute the name of the attribute
	 * @param text the expression
	 * @return the position of the parameter, or {@code null} if the expression is
	 * something else
	 */
	@Nullable Integer parameter(Declaration declaration, String attribute, String text) {
		return argument(declaration, parse(declaration, attribute, text), false);
	}

	private SpelExpression parse(Declaration declaration, String attribute, String text) {
		try {
			return this.parser.parseRaw(text);
		}
		catch (ExpressionException ex) {
			throw declaration.invalid(attribute, text, "is not a SpEL expression (" + ex.getMessage() + ")",
					"write an expression such as " + example(declaration), ex);
		}
	}

	private static @Nullable Integer argument(Declaration declaration, SpelExpression expression, boolean withResult) {
		SpelNode node = expression.getAST();
		if (!(node instanceof VariableReference)) {
			return null;
		}
		String name = ExpressionVariables.name(node);
		return (withResult && GuardExpression.RESULT.equals(name)) ? null : declaration.method().parameter(name);
	}

	private GuardExpression check(Declaration declaration, String attribute, String text, SpelExpression expression,
			boolean withResult) {
		ExpressionVariables used = new ExpressionVariables(expression.getAST());
		Set<String> known = new LinkedHashSet<>(declaration.method().parameterNames());
		boolean usesResult = withResult && used.variables().contains(GuardExpression.RESULT);
		if (withResult) {
			known.add(GuardExpression.RESULT);
		}
		for (String variable : used.variables()) {
			if (!known.contains(variable)) {
				throw declaration.invalid(attribute, text, "uses #" + variable + ", which is no parameter of it",
						"use " + variables(known) + " (a parameter has a name only if it is compiled with -parameters)",
						null);
			}
		}
		if (usesResult && ReturnTypes.isNothing(declaration.method().returnType().toClass())) {
			throw declaration.invalid(attribute, text, "uses #result, but the method returns nothing",
					"return the new row, or use a parameter", null);
		}
		for (String property : used.rootProperties()) {
			if (!ExpressionRoot.PROPERTIES.contains(property)) {
				throw declaration.invalid(attribute, text, "uses " + property + ", which is no property of #root",
						known.contains(property) ? "write #" + property + " for the parameter"
								: "use " + variables(known) + " with one of " + ExpressionRoot.PROPERTIES,
						null);
			}
		}
		for (String method : used.rootMethods()) {
			if (!ROOT_METHODS.contains(method)) {
				throw declaration.invalid(attribute, text, "calls " + method + "(), which is no method of #root",
						"write #root.target." + method + "(...) for a method of the bean", null);
			}
		}
		return new GuardExpression(expression, usesResult, declaration.method(), this.delegates);
	}

	private static String variables(Set<String> names) {
		return Stream.concat(names.stream(), Stream.of("root"))
			.map((name) -> "#" + name)
			.collect(Collectors.joining(", ", "one of ", ""));
	}

	private static String example(Declaration declaration) {
		return declaration.method()
			.parameterNames()
			.stream()
			.reduce((first, last) -> last)
			.map((name) -> "#" + name)
			.orElse("#root.methodName");
	}

}
