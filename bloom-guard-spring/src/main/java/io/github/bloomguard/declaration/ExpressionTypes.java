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

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.PropertyMatches;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;

/**
 * Refuses an expression with a variable that does not exist, or with a property that the
 * declared type of its owner does not have. Nothing is known of methods and indexes.
 */
final class ExpressionTypes {

	private static final ResolvableType ROOT = ResolvableType.forClass(GuardExpression.Root.class);

	private final GuardExpression.Source source;

	private boolean usesResult;

	ExpressionTypes(GuardExpression.Source source) {
		this.source = source;
	}

	ResolvableType of(SpelNode expression) {
		return visit(expression, ROOT, ROOT, !this.source.isConditional());
	}

	boolean usesResult() {
		return this.usesResult;
	}

	private ResolvableType visit(SpelNode node, ResolvableType owner, ResolvableType here, boolean certain) {
		if (node instanceof PropertyOrFieldReference property) {
			return property(property, owner, certain);
		}
		if (node instanceof Projection || node instanceof Selection) {
			Class<?> many = owner.toClass();
			if (isExact(many, certain) && !many.isArray() && Stream.of(Iterable.class, Map.class, Optional.class)
				.noneMatch((type) -> type.isAssignableFrom(many))) {
				throw this.source.invalid("takes elements of " + many.getName() + ", which has none",
						"write the key of one: of a Flux, #result is each element");
			}
			ResolvableType element = owner.isArray() ? owner.getComponentType()
					: owner.as(Iterable.class).getGeneric(0);
			ResolvableType result = visit(node.getChild(0), element, element, certain);
			return (node instanceof Projection) ? ResolvableType.forClassWithGenerics(Iterable.class, result)
					: ResolvableType.NONE;
		}
		boolean chain = node instanceof CompoundExpression;
		boolean branches = node instanceof Ternary || node instanceof Elvis || node instanceof OpAnd
				|| node instanceof OpOr;
		boolean named = node instanceof Indexer || node instanceof InlineMap;
		ResolvableType last = here;
		for (int i = 0; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			if (!(named && child instanceof PropertyOrFieldReference)) {
				last = visit(child, chain ? last : here, here, certain && !(branches && i > 0));
			}
		}
		return (node instanceof VariableReference || node instanceof FunctionReference) ? variable(name(node), here)
				: chain ? last : ResolvableType.NONE;
	}

	static String name(SpelNode reference) {
		return reference.toStringAST().substring(1).split("\\(", 2)[0];
	}

	private ResolvableType variable(String name, ResolvableType here) {
		return switch (name) {
			case "this" -> here;
			case "root" -> ROOT;
			default -> {
				this.usesResult |= this.source.isResult(name);
				yield this.source.variable(name);
			}
		};
	}

	private ResolvableType property(PropertyOrFieldReference reference, ResolvableType type, boolean certain) {
		String name = reference.getName();
		Class<?> owner = ClassUtils.resolvePrimitiveIfNecessary(type.toClass());
		boolean unwrapped = reference.isNullSafe() && owner == Optional.class;
		if (owner == Class.class || unwrapped || (owner.isArray() && "length".equals(name))) {
			return ResolvableType.NONE;
		}
		ResolvableType found = new Properties().type(name, owner, type);
		if (found == null && isExact(owner, certain)) {
			throw this.source.invalid(
					"uses " + name + ", which is no property of " + ((type == ROOT) ? "#root" : owner.getName()),
					(type == ROOT) ? this.source.insteadOfRoot(name) : closest(name, owner));
		}
		return (found != null) ? found : ResolvableType.NONE;
	}

	/**
	 * Return whether no subtype can be meant: there is none, or no condition asks for it.
	 */
	static boolean isExact(Class<?> type, boolean certain) {
		int modifiers = type.getModifiers();
		return type != Object.class && (Modifier.isFinal(modifiers) || (certain && !Modifier.isAbstract(modifiers)));
	}

	private static String closest(String name, Class<?> type) {
		String[] matches = PropertyMatches.forField(name, type).getPossibleMatches();
		return (matches.length > 0) ? "did you mean " + String.join(" or ", matches) + "?"
				: "use a property that it has";
	}

	private static final class Properties extends ReflectivePropertyAccessor {

		@Nullable ResolvableType type(String name, Class<?> owner, ResolvableType type) {
			Method getter = findGetterForProperty(name, owner, false);
			if (getter != null) {
				return ResolvableType.forType(getter.getGenericReturnType(), type.as(getter.getDeclaringClass()));
			}
			Field field = findField(name, owner, false);
			return (field != null) ? ResolvableType.forField(field, type) : null;
		}

	}

}
