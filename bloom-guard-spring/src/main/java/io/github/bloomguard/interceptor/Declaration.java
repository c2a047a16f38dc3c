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

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

record Declaration(Class<? extends Annotation> annotation, AnnotatedMethod method) {

	/**
	 * @param complaint to be read after "annotation on method"
	 */
	InvalidGuardException invalid(String complaint, String remedy) {
		return new InvalidGuardException(this + " " + complaint, remedy);
	}

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
