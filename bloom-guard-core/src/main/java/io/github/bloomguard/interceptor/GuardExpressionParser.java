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
	 */
	KeyExtractor key(AnnotationExpression source) {
		SpelExpression expression = parse(source);
		KeyExtractor key = extractor(source, expression);
		new DeclaredTypes(source).checkOne(expression.getAST());
		return key;
	}

	/**
	 * Parse the expression of many keys.
	 */
	KeyExtractor keys(AnnotationExpression source) {
		SpelExpression expression = parse(source);
		KeyExtractor keys = extractor(source, expression);
		new DeclaredTypes(source).checkMany(expression.getAST());
		return keys;
	}

	private KeyExtractor extractor(AnnotationExpression source, SpelExpression expression) {
		Integer argument = argument(source, expression);
		return (argument != null) ? new ArgumentKey(argument) : check(source, expression);
	}

	/**
	 * Parse the expression of a condition.
	 */
	GuardExpression condition(AnnotationExpression source) {
		SpelExpression expression = parse(source);
		GuardExpression condition = check(source, expression);
		new DeclaredTypes(source).check(expression.getAST());
		return condition;
	}

	/**
	 * Parse what can be nothing but the name of a parameter.
	 * @return the position of the parameter, or {@code null} if the expression is
	 * something else
	 */
	@Nullable Integer parameter(AnnotationExpression source) {
		return argument(source, parse(source));
	}

	private SpelExpression parse(AnnotationExpression source) {
		try {
			return this.parser.parseRaw(source.text());
		}
		catch (ExpressionException ex) {
			throw source.invalid("is not a SpEL expression (" + ex.getMessage() + ")",
					"write an expression such as " + example(source.method()), ex);
		}
	}

	private static @Nullable Integer argument(AnnotationExpression source, SpelExpression expression) {
		SpelNode node = expression.getAST();
		if (!(node instanceof VariableReference)) {
			return null;
		}
		String name = ExpressionVariables.name(node);
		return (source.withResult() && GuardExpression.RESULT.equals(name)) ? null : source.method().parameter(name);
	}

	private GuardExpression check(AnnotationExpression source, SpelExpression expression) {
		ExpressionVariables used = new ExpressionVariables(expression.getAST());
		boolean usesResult = source.withResult() && used.variables().contains(GuardExpression.RESULT);
		checkVariables(source, used, usesResult);
		return new GuardExpression(expression, usesResult, source.method(), this.delegates);
	}

	private static void checkVariables(AnnotationExpression source, ExpressionVariables used, boolean usesResult) {
		Set<String> known = new LinkedHashSet<>(source.method().parameterNames());
		if (source.withResult()) {
			known.add(GuardExpression.RESULT);
		}
		for (String variable : used.variables()) {
			if (!known.contains(variable)) {
				throw source.invalid("uses #" + variable + ", which is no parameter of it", "use " + variables(known)
						+ " (a parameter has a name only if it is compiled with -parameters)");
			}
		}
		if (usesResult && ReturnTypes.isNothing(ReturnTypes.result(source.method().returnType()).toClass())) {
			throw source.invalid("uses #result, but the method returns nothing",
					"return the new row, or use a parameter");
		}
		for (String property : used.rootProperties()) {
			if (!ExpressionRoot.PROPERTIES.contains(property)) {
				throw source.invalid("uses " + property + ", which is no property of #root",
						known.contains(property) ? "write #" + property + " for the parameter"
								: "use " + variables(known) + " with one of " + ExpressionRoot.PROPERTIES);
			}
		}
		for (String method : used.rootMethods()) {
			if (!ROOT_METHODS.contains(method)) {
				throw source.invalid("calls " + method + "(), which is no method of #root",
						"write #root.target." + method + "(...) for a method of the bean");
			}
		}
	}

	private static String variables(Set<String> names) {
		return Stream.concat(names.stream(), Stream.of("root"))
			.map((name) -> "#" + name)
			.collect(Collectors.joining(", ", "one of ", ""));
	}

	private static String example(AnnotatedMethod method) {
		return method.parameterNames()
			.stream()
			.reduce((first, last) -> last)
			.map((name) -> "#" + name)
			.orElse("#root.methodName");
	}

}
