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

import java.util.Map;
import java.util.function.BiConsumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.log.LogMessage;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ClassUtils;

/**
 * Parses the expressions of annotations and refuses those that can't work.
 */
final class GuardExpressionParser {

	private static final Log logger = LogFactory.getLog(GuardExpressionParser.class);

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final StandardEvaluationContext delegates = new StandardEvaluationContext();

	GuardExpressionParser(BeanFactory beanFactory) {
		this.delegates.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	GuardExpression key(GuardExpression.Source source) {
		return parse(source, (node, type) -> {
			if (node instanceof Literal) {
				logger.warn(LogMessage.format("%s. If that is not meant, write an expression such as %s",
						source.invalid("is the same key in each call", "").getProblem(), example(source.method())));
			}
			String keys = "write keys = \"" + source.text() + "\"";
			if (source.hasResult() && node instanceof CompoundExpression
					&& node.getChild(node.getChildCount() - 1) instanceof Projection) {
				throw source.invalid("gives many elements, which would be the parts of one key",
						keys + " if each of them is a key, or {...} with the parts of one key");
			}
			if (holdsMany(type)) {
				logger.warn(LogMessage.format("%s. If each element is a key, %s",
						source.invalid("is one key of several parts", "").getProblem(), keys));
			}
		});
	}

	GuardExpression keys(GuardExpression.Source source) {
		return parse(source, (node, type) -> {
			if (!holdsMany(type) && (type.isArray() || Map.class.isAssignableFrom(type)
					|| ExpressionTypes.isExact(type, !source.isConditional()))) {
				throw source.invalid("gives one " + type.getName() + " instead of many keys",
						"write key for a single key, or give a Collection or an array of them");
			}
		});
	}

	private static boolean holdsMany(Class<?> type) {
		return Iterable.class.isAssignableFrom(type) || (type.isArray() && type != byte[].class);
	}

	GuardExpression condition(GuardExpression.Source source) {
		return parse(source, (node, type) -> {
		});
	}

	GuardExpression parameter(GuardExpression.Source source) {
		SpelExpression expression = parse(source);
		Integer argument = argument(source, expression);
		if (argument == null) {
			throw source.invalid("is not the name of a parameter",
					"write #name, #p0 or #a0 of a Collection or an array, and nothing else");
		}
		return new GuardExpression(expression, argument, false, source.method(), this.delegates);
	}

	private GuardExpression parse(GuardExpression.Source source, BiConsumer<SpelNode, Class<?>> check) {
		SpelExpression expression = parse(source);
		ExpressionTypes types = new ExpressionTypes(source);
		Class<?> type = types.of(expression.getAST()).toClass();
		check.accept(expression.getAST(), ClassUtils.resolvePrimitiveIfNecessary(type));
		return new GuardExpression(expression, argument(source, expression), types.usesResult(), source.method(),
				this.delegates);
	}

	private SpelExpression parse(GuardExpression.Source source) {
		try {
			return this.parser.parseRaw(source.text());
		}
		catch (ExpressionException ex) {
			throw source.invalid("is not a SpEL expression (" + ex.getMessage() + ")", "write an expression such as "
					+ example(source.method()) + (source.isCondition() ? " != null" : ""), ex);
		}
	}

	private static @Nullable Integer argument(GuardExpression.Source source, SpelExpression expression) {
		SpelNode node = expression.getAST();
		if (!(node instanceof VariableReference)) {
			return null;
		}
		String name = ExpressionTypes.name(node);
		return source.isResult(name) ? null : source.method().parameter(name);
	}

	private static String example(AnnotatedMethod method) {
		return method.parameterNames()
			.stream()
			.reduce((first, last) -> last)
			.map((name) -> "#" + name)
			.orElse("#root.methodName");
	}

}
