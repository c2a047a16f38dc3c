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

package io.github.bloomguard;

import org.jspecify.annotations.Nullable;

/**
 * A filter or a guarded method is configured so that it can't work. Stops the application
 * while it starts.
 *
 * @since 1.0.0
 */
public class InvalidGuardException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String remedy;

	/**
	 * Create an exception.
	 * @param problem what is wrong, naming the property or the method and the value
	 * @param remedy what to write instead
	 */
	public InvalidGuardException(String problem, String remedy) {
		this(problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param problem what is wrong, naming the property or the method and the value
	 * @param remedy what to write instead
	 * @param cause what has led to it
	 */
	public InvalidGuardException(String problem, String remedy, @Nullable Throwable cause) {
		super(problem + ": " + remedy, cause);
		this.problem = problem;
		this.remedy = remedy;
	}

	/**
	 * Return what is wrong.
	 * @return a sentence
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Return what to write instead.
	 * @return a sentence
	 */
	public String getRemedy() {
		return this.remedy;
	}

}
