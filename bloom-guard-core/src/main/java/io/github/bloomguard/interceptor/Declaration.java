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

import java.lang.annotation.Annotation;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

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
	 */
	InvalidGuardException invalid(String complaint, String remedy) {
		return new InvalidGuardException(this + " " + complaint, remedy);
	}

	/**
	 * Complain about one attribute.
	 * @param complaint what is wrong, to be read after "annotation on method"
	 */
	InvalidGuardException invalid(String attribute, String value, String complaint, String remedy,
			@Nullable Throwable cause) {
		return new InvalidGuardException("@" + this.annotation.getSimpleName() + "(" + attribute + " = \"" + value
				+ "\") on " + this.method + " " + complaint, remedy, cause);
	}

	/**
	 * Return the one that is meant by a name with a slip, {@code null} if it is none.
	 */
	static @Nullable String closest(String name, Collection<String> names) {
		int limit = Math.max(1, name.length() / 3);
		return names.stream()
			.filter((candidate) -> distance(name, candidate) <= limit)
			.min(Comparator.comparingInt((candidate) -> distance(name, candidate)))
			.orElse(null);
	}

	/**
	 * Count the letters to insert, delete or replace, whatever their case.
	 */
	private static int distance(String left, String right) {
		String from = left.toLowerCase(Locale.ROOT);
		String to = right.toLowerCase(Locale.ROOT);
		int[] row = new int[to.length() + 1];
		for (int j = 0; j <= to.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int replaced = diagonal + ((from.charAt(i - 1) != to.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[to.length()];
	}

	@Override
	public String toString() {
		return "@" + this.annotation.getSimpleName() + " on " + this.method;
	}

}
