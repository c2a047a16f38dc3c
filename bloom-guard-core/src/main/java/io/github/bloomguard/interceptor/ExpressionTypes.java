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

package io.github.bloomguard.interceptor;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.core.log.LogMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Follows an expression through the declared types of what it uses, without evaluating
 * it, to the type of what it gives. A variable that does not exist is refused on the way,
 * and so is a property or a method that no object can have which may be meant; one that
 * an object of a subtype may have is logged. Where a type is not known, nothing is said.
 */
final class ExpressionTypes {

	private static final Log logger = LogFactory.getLog(ExpressionTypes.class);

	private static final Properties PROPERTIES = new Properties();

	private static final ResolvableType ROOT = ResolvableType.forClass(GuardExpression.Root.class);

	private static final List<String> ROOT_PROPERTIES = List.of("method", "methodName", "target", "targetClass",
			"args");

	private final GuardExpression.Source source;

	private boolean usesResult;

	ExpressionTypes(GuardExpression.Source source) {
		this.source = source;
	}

	/**
	 * Check what an expression uses.
	 */
	void check(SpelNode expression) {
		of(expression);
	}

	/**
	 * Check the expression of one key. A container may be meant as one key of several
	 * parts; what is computed for each row that was created is not.
	 */
	void checkOne(SpelNode expression) {
		ResolvableType type = of(expression);
		SpelNode last = expression;
		while (last instanceof CompoundExpression) {
			last = last.getChild(last.getChildCount() - 1);
		}
		String text = this.source.text();
		if (last instanceof Projection && this.source.withResult()) {
			throw this.source.invalid("gives many elements, which would be the parts of one key",
					"write keys = \"" + text + "\" if each of them is a key, or {...} with the parts of one key");
		}
		if (holdsMany(type.toClass())) {
			logger.warn(LogMessage.format("%s. If each element is a key, write keys = \"%s\"",
					this.source.invalid("is one key of several parts", "").getProblem(), text));
		}
	}

	/**
	 * Check the expression of many keys.
	 */
	void checkMany(SpelNode expression) {
		Class<?> type = new Place(of(expression), ResolvableType.NONE, this.source.conditional()).owner();
		if (type != null && !holdsMany(type) && (type.isArray() || Map.class.isAssignableFrom(type)
				|| !isPossible(type, ExpressionTypes::holdsMany, this.source.conditional()))) {
			throw this.source.invalid("gives one " + type.getName() + " instead of many keys",
					"write key for a single key, or give a Collection or an array of them");
		}
	}

	/**
	 * Return whether an object of a type is several keys where many are asked for. Bytes
	 * are one.
	 */
	private static boolean holdsMany(Class<?> type) {
		return Iterable.class.isAssignableFrom(type) || (type.isArray() && type != byte[].class);
	}

	/**
	 * Return the type of what the expression gives, {@link ResolvableType#NONE} if
	 * nothing is known of it or it writes down the parts of a key.
	 */
	private ResolvableType of(SpelNode expression) {
		return visit(expression, new Place(ROOT, ROOT, this.source.conditional()));
	}

	/**
	 * Return whether an expression that has been checked depends on the result of the
	 * call.
	 */
	boolean usesResult() {
		return this.usesResult;
	}

	private ResolvableType visit(SpelNode node, Place place) {
		if (node instanceof CompoundExpression) {
			ResolvableType type = visit(node.getChild(0), place);
			for (int i = 1; i < node.getChildCount(); i++) {
				type = visit(node.getChild(i), place.on(type));
			}
			return type;
		}
		if (node instanceof VariableReference) {
			return variable(name(node), place);
		}
		if (node instanceof FunctionReference) {
			variable(name(node), place);
		}
		if (node instanceof PropertyOrFieldReference property) {
			return property(property.getName(), place.of(property.isNullSafe()));
		}
		if (node instanceof MethodReference method) {
			visitChildren(node, place.ofArguments());
			return method(method.getName(), node.getChildCount(), place.of(method.isNullSafe()));
		}
		if (node instanceof Projection projection) {
			ResolvableType element = element(place.of(projection.isNullSafe()));
			return listOf(visit(node.getChild(0), place.within(element)));
		}
		if (node instanceof Selection selection) {
			ResolvableType element = element(place.of(selection.isNullSafe()));
			visit(node.getChild(0), place.within(element));
			return isOfAll(node) ? listOf(element) : element;
		}
		if (node instanceof Indexer indexer) {
			visitChildren(node, place.ofArguments());
			return indexed(place.of(indexer.isNullSafe()).type());
		}
		if (node instanceof Ternary || node instanceof Elvis || node instanceof OpAnd || node instanceof OpOr) {
			visit(node.getChild(0), place);
			for (int i = 1; i < node.getChildCount(); i++) {
				visit(node.getChild(i), place.perhaps());
			}
			return ResolvableType.NONE;
		}
		visitChildren(node, place);
		return ResolvableType.NONE;
	}

	private void visitChildren(SpelNode node, Place place) {
		for (int i = 0; i < node.getChildCount(); i++) {
			if (!isName(node, node.getChild(i))) {
				visit(node.getChild(i), place);
			}
		}
	}

	/**
	 * Return whether a node is read as a name: {@code #map[name]} and
	 * <code>{name: 1}</code>.
	 */
	private static boolean isName(SpelNode parent, SpelNode child) {
		return child instanceof PropertyOrFieldReference && (parent instanceof Indexer || parent instanceof InlineMap);
	}

	/**
	 * Return the name of a variable or a function.
	 */
	static String name(SpelNode reference) {
		String text = reference.toStringAST().substring(1);
		int arguments = text.indexOf('(');
		return (arguments != -1) ? text.substring(0, arguments) : text;
	}

	/**
	 * Return whether a selection gives all elements that it finds rather than one.
	 */
	static boolean isOfAll(SpelNode selection) {
		return selection.toStringAST().startsWith("?[");
	}

	private ResolvableType variable(String name, Place place) {
		if ("this".equals(name)) {
			return place.type();
		}
		if ("root".equals(name)) {
			return ROOT;
		}
		if (this.source.withResult() && GuardExpression.RESULT.equals(name)) {
			return result();
		}
		Integer parameter = this.source.method().parameter(name);
		if (parameter == null) {
			throw this.source.invalid("uses #" + name + ", which is no parameter of it",
					"use " + variables() + " (a parameter has a name only if it is compiled with -parameters)");
		}
		return this.source.method().parameterType(parameter);
	}

	private ResolvableType result() {
		ResolvableType result = ResultTypes.result(this.source.method().returnType());
		if (ResultTypes.isNothing(result.toClass())) {
			throw this.source.invalid("uses #result, but the method returns nothing",
					"return the new row, or use a parameter");
		}
		this.usesResult = true;
		return result;
	}

	private String variables() {
		Stream<String> result = this.source.withResult() ? Stream.of(GuardExpression.RESULT, "root")
				: Stream.of("root");
		return Stream.concat(this.source.method().parameterNames().stream(), result)
			.map((name) -> "#" + name)
			.distinct()
			.collect(Collectors.joining(", ", "one of ", ""));
	}

	private ResolvableType property(String name, Place place) {
		if (place.isRoot()) {
			checkRootProperty(name);
		}
		Class<?> owner = place.owner();
		if (owner == null) {
			return ResolvableType.NONE;
		}
		if (owner.isArray() && "length".equals(name)) {
			return ResolvableType.forClass(int.class);
		}
		Method getter = PROPERTIES.getter(name, owner);
		if (getter != null) {
			return place.typeOf(getter);
		}
		Field field = PROPERTIES.field(name, owner);
		if (field != null) {
			return ResolvableType.forField(field, place.type());
		}
		complain("uses " + name + ", which is no property of " + owner.getName(), name, place,
				(type) -> PROPERTIES.getter(name, type) != null || PROPERTIES.field(name, type) != null);
		return ResolvableType.NONE;
	}

	private void checkRootProperty(String name) {
		if (!ROOT_PROPERTIES.contains(name)) {
			boolean variable = this.source.method().parameter(name) != null
					|| (this.source.withResult() && GuardExpression.RESULT.equals(name));
			throw this.source.invalid("uses " + name + ", which is no property of #root",
					variable ? "write #" + name + " for the parameter"
							: "use " + variables() + " with one of " + ROOT_PROPERTIES);
		}
	}

	private ResolvableType method(String name, int arguments, Place place) {
		if (place.isRoot() && ReflectionUtils.findMethod(GuardExpression.Root.class, name, (Class<?>[]) null) == null) {
			throw this.source.invalid("calls " + name + "(), which is no method of #root",
					"write #root.target." + name + "(...) for a method of the bean");
		}
		Class<?> owner = place.owner();
		if (owner == null) {
			return ResolvableType.NONE;
		}
		List<Method> methods = methods(owner, name, arguments).filter((method) -> !method.isBridge()).toList();
		if (methods.size() == 1) {
			return place.typeOf(methods.get(0));
		}
		if (methods.isEmpty()) {
			complain(
					"calls " + name + "(), which is no method of " + owner.getName()
							+ ((arguments > 0) ? " with " + arguments + " arguments" : ""),
					name, place, (type) -> methods(type, name, arguments).findAny().isPresent());
		}
		return ResolvableType.NONE;
	}

	private static Stream<Method> methods(Class<?> type, String name, int arguments) {
		return Stream.of(type, Object.class)
			.flatMap((candidate) -> Arrays.stream(candidate.getMethods()))
			.filter((method) -> method.getName().equals(name)
					&& (method.isVarArgs() || method.getParameterCount() == arguments))
			.distinct();
	}

	private ResolvableType element(Place place) {
		Class<?> owner = place.owner();
		if (owner == null || Map.class.isAssignableFrom(owner)) {
			return ResolvableType.NONE;
		}
		if (!owner.isArray() && !Iterable.class.isAssignableFrom(owner)) {
			complain("takes the elements of " + owner.getName() + ", which has none", "", place,
					(type) -> Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
		}
		return elementType(place.type());
	}

	/**
	 * Return the type of the elements of an array or an {@code Iterable},
	 * {@link ResolvableType#NONE} if it is not known.
	 */
	static ResolvableType elementType(ResolvableType type) {
		return type.isArray() ? type.getComponentType() : type.as(Iterable.class).getGeneric(0);
	}

	private static ResolvableType indexed(ResolvableType type) {
		return type.as(Map.class).hasGenerics() ? type.as(Map.class).getGeneric(1) : elementType(type);
	}

	private static ResolvableType listOf(ResolvableType element) {
		return (element == ResolvableType.NONE) ? ResolvableType.forClass(List.class)
				: ResolvableType.forClassWithGenerics(List.class, element);
	}

	private void complain(String complaint, String name, Place place, Predicate<Class<?>> has) {
		Class<?> owner = place.type().toClass();
		InvalidGuardException problem = this.source.invalid(complaint, PROPERTIES.instead(name, owner));
		if (!isPossible(owner, has, place.conditional())) {
			throw problem;
		}
		logger.warn(LogMessage.format("%s. The call fails unless a subtype has it", problem.getProblem()));
	}

	/**
	 * Return whether what is declared to be of a type may have what the type itself
	 * lacks. An object of a class that can be made has not: if only those of a subclass
	 * are meant, a condition must say so.
	 */
	private static boolean isPossible(Class<?> declared, Predicate<Class<?>> has, boolean conditional) {
		if (declared.isSealed()) {
			return Arrays.stream(declared.getPermittedSubclasses())
				.anyMatch((permitted) -> has.test(permitted) || isPossible(permitted, has, conditional));
		}
		int modifiers = declared.getModifiers();
		return !Modifier.isFinal(modifiers) && (Modifier.isAbstract(modifiers) || conditional);
	}

	/**
	 * Where in an expression a node stands.
	 *
	 * @param type what it is asked of
	 * @param root what its arguments are asked of
	 * @param conditional whether it is evaluated under a condition only
	 */
	private record Place(ResolvableType type, ResolvableType root, boolean conditional) {

		Place on(ResolvableType type) {
			return new Place(type, this.root, this.conditional);
		}

		/**
		 * The node is asked of what an {@code Optional} holds if it comes after
		 * {@code ?.}, and perhaps of the {@code Optional}.
		 */
		Place of(boolean nullSafe) {
			return (nullSafe && this.type.toClass() == Optional.class) ? on(ResolvableType.NONE) : this;
		}

		Place ofArguments() {
			return on(this.root);
		}

		Place within(ResolvableType element) {
			return new Place(element, element, this.conditional);
		}

		Place perhaps() {
			return new Place(this.type, this.root, true);
		}

		boolean isRoot() {
			return this.type == ROOT;
		}

		/**
		 * Return the class of what the node is asked of, {@code null} if it is not known.
		 */
		@Nullable Class<?> owner() {
			Class<?> owner = this.type.toClass();
			return (owner == Object.class || owner == Class.class || isRoot()) ? null
					: ClassUtils.resolvePrimitiveIfNecessary(owner);
		}

		ResolvableType typeOf(Method method) {
			return ResolvableType.forType(method.getGenericReturnType(), this.type.as(method.getDeclaringClass()));
		}

	}

	/**
	 * Finds properties as expressions do.
	 */
	private static final class Properties extends ReflectivePropertyAccessor {

		private static final int MAX_PROPOSALS = 12;

		private static final Pattern PREFIX = Pattern.compile("^(get|is)(?=\\p{Lu})");

		@Nullable Method getter(String name, Class<?> type) {
			Method getter = findGetterForProperty(name, type, false);
			return (getter != null) ? getter : findGetterForProperty(name, Object.class, false);
		}

		@Nullable Field field(String name, Class<?> type) {
			return findField(name, type, false);
		}

		/**
		 * Say what to write instead of a property that a type does not have.
		 */
		String instead(String name, Class<?> type) {
			Stream<String> getters = Arrays.stream(type.getMethods())
				.filter((method) -> method.getParameterCount() == 0 && method.getReturnType() != void.class
						&& !Modifier.isStatic(method.getModifiers()) && !ReflectionUtils.isObjectMethod(method))
				.map((method) -> PREFIX.matcher(method.getName()).replaceFirst(""))
				.map(StringUtils::uncapitalizeAsProperty);
			Stream<String> fields = Arrays.stream(type.getFields())
				.filter((field) -> !Modifier.isStatic(field.getModifiers()))
				.map(Field::getName);
			List<String> names = Stream.concat(getters, fields).distinct().sorted().toList();
			String closest = Declaration.closest(name, names);
			return (closest != null) ? "did you mean " + closest + "?" : "use what it has" + (names.isEmpty() ? ""
					: ", such as " + String.join(", ", names.subList(0, Math.min(names.size(), MAX_PROPOSALS))));
		}

	}

}
