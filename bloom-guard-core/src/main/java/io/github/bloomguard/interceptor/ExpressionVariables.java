package io.github.bloomguard.interceptor;

import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * What an expression asks its context for, found without evaluating it.
 */
final class ExpressionVariables {

	private static final String ROOT = "root";

	private final Set<String> variables = new LinkedHashSet<>();

	private final Set<String> rootProperties = new LinkedHashSet<>();

	private final Set<String> rootMethods = new LinkedHashSet<>();

	ExpressionVariables(SpelNode expression) {
		visit(expression, true);
	}

	/**
	 * Return the names of the variables, without {@code root} and {@code this}.
	 */
	Set<String> variables() {
		return this.variables;
	}

	/**
	 * Return the properties that are asked of the root object, by {@code #root.name} or
	 * by {@code name} alone.
	 */
	Set<String> rootProperties() {
		return this.rootProperties;
	}

	/**
	 * Return the methods that are called on the root object by their name alone.
	 */
	Set<String> rootMethods() {
		return this.rootMethods;
	}

	private void visit(SpelNode node, boolean onRoot) {
		if (node instanceof VariableReference || node instanceof FunctionReference) {
			visitVariable(node);
		}
		else if (onRoot && node instanceof PropertyOrFieldReference property) {
			this.rootProperties.add(property.getName());
		}
		else if (onRoot && node instanceof MethodReference method) {
			this.rootMethods.add(method.getName());
		}
		if (node instanceof CompoundExpression) {
			visitCompound(node, onRoot);
			return;
		}
		boolean childrenOnRoot = onRoot && !(node instanceof Projection || node instanceof Selection);
		for (int i = 0; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			if (!isName(node, child)) {
				visit(child, childrenOnRoot);
			}
		}
	}

	private void visitVariable(SpelNode node) {
		String name = name(node);
		if (!ROOT.equals(name) && !"this".equals(name)) {
			this.variables.add(name);
		}
	}

	private void visitCompound(SpelNode node, boolean onRoot) {
		SpelNode first = node.getChild(0);
		visit(first, onRoot);
		for (int i = 1; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			if (child instanceof PropertyOrFieldReference property) {
				if (i == 1 && first instanceof VariableReference && ROOT.equals(name(first))) {
					this.rootProperties.add(property.getName());
				}
			}
			else if (child instanceof MethodReference) {
				for (int j = 0; j < child.getChildCount(); j++) {
					visit(child.getChild(j), onRoot);
				}
			}
			else {
				visit(child, onRoot);
			}
		}
	}

	/**
	 * Tell whether a node is read as a name: {@code #map[name]} and
	 * <code>{name: 1}</code>.
	 */
	static boolean isName(SpelNode parent, SpelNode child) {
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

}
