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

import java.lang.annotation.Annotation;
import java.util.Map;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.StringUtils;

/**
 * An annotation on a method, which may be that of its class.
 */
public record Declaration(Annotation annotation, AnnotatedMethod method) {

	public static Declaration of(Map<String, Object> attributes, Class<? extends Annotation> type,
			AnnotatedMethod method) {
		return new Declaration(AnnotationUtils.synthesizeAnnotation(attributes, type, null), method);
	}

	/**
	 * Return the same with the name of its filter, which its entity has told.
	 */
	Declaration withFilter(String filter) {
		Map<String, Object> attributes = AnnotationUtils.getAnnotationAttributes(this.annotation);
		attributes.putAll(Map.of("filter", filter, "value", filter, "byEntity", false));
		return of(attributes, type(), this.method);
	}

	/**
	 * Return whether it is the method's own rather than that of its class.
	 */
	public boolean isOnMethod() {
		return !GuardAnnotations.of(this.method.method()).isEmpty();
	}

	public boolean isGuard() {
		return isOf(BloomGuarded.class);
	}

	public boolean isOf(Class<? extends Annotation> type) {
		return type() == type;
	}

	private Class<? extends Annotation> type() {
		return this.annotation.annotationType();
	}

	public String filter() {
		return text("filter");
	}

	boolean has(String attribute) {
		return StringUtils.hasText(text(attribute));
	}

	public String text(String attribute) {
		return String.valueOf(AnnotationUtils.getValue(this.annotation, attribute));
	}

	/**
	 * Return whether it is about the call before the method is called, which has no
	 * result then.
	 */
	public boolean isBefore() {
		return isGuard() || (this.annotation instanceof BloomAdd add && add.before());
	}

	/**
	 * @param complaint to be read after "annotation on method"
	 */
	public InvalidGuardException invalid(String complaint, String remedy) {
		return new InvalidGuardException(this + " " + complaint, remedy);
	}

	public InvalidGuardException invalid(String attribute, String value, String complaint, String remedy,
			@Nullable Throwable cause) {
		return new InvalidGuardException(
				name() + "(" + attribute + " = \"" + value + "\") on " + this.method + " " + complaint, remedy, cause);
	}

	public String name() {
		return "@" + type().getSimpleName();
	}

	@Override
	public String toString() {
		return name() + " on " + this.method;
	}

}
