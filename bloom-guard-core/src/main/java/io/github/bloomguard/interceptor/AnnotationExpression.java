package io.github.bloomguard.interceptor;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

/**
 * An expression as it stands in an annotation.
 *
 * @param declaration the annotation
 * @param attribute the name of the attribute
 * @param text the expression
 * @param withResult whether it may use the result
 * @param conditional whether it is evaluated only if a condition holds
 */
record AnnotationExpression(Declaration declaration, String attribute, String text, boolean withResult,
		boolean conditional) {

	/**
	 * Return an expression that stands for this one.
	 */
	AnnotationExpression instead(String other) {
		return new AnnotationExpression(this.declaration, this.attribute, other, this.withResult, this.conditional);
	}

	/**
	 * Complain about the expression.
	 * @param complaint what is wrong, to be read after "annotation on method"
	 * @param remedy what to write instead
	 */
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
