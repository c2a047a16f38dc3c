package io.github.bloomguard.interceptor;

import java.lang.annotation.Annotation;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

/**
 * An annotation on a method, as the messages about it name it.
 *
 * @param annotation the type of the annotation
 * @param method the method
 */
record Declaration(Class<? extends Annotation> annotation, AnnotatedMethod method) {

	/**
	 * Complain about the annotation as a whole.
	 * @param complaint what is wrong, to be read after "annotation on method"
	 * @param remedy what to write instead
	 */
	InvalidGuardException invalid(String complaint, String remedy) {
		return new InvalidGuardException(this + " " + complaint, remedy);
	}

	/**
	 * Complain about one attribute.
	 * @param attribute the name of the attribute
	 * @param value its value
	 * @param complaint what is wrong, to be read after "annotation on method"
	 * @param remedy what to write instead
	 * @param cause what has led to it
	 */
	InvalidGuardException invalid(String attribute, String value, String complaint, String remedy,
			@Nullable Throwable cause) {
		return new InvalidGuardException("@" + this.annotation.getSimpleName() + "(" + attribute + " = \"" + value
				+ "\") on " + this.method + " " + complaint, remedy, cause);
	}

	@Override
	public String toString() {
		return "@" + this.annotation.getSimpleName() + " on " + this.method;
	}

}
