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

/**
 * A key is of a type that has no canonical form.
 *
 * @since 1.0.0
 */
public class UnsupportedKeyException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception that names the type and the remedy.
	 * @param type the type of the key
	 */
	public UnsupportedKeyException(Class<?> type) {
		super("A key of type " + type.getName() + " has no canonical form: use a number, string, UUID, enum, date,"
				+ " or a record or collection of these, or declare a KeyConverter bean for it", null);
	}

	/**
	 * Create an exception for a key that is no key.
	 * @param problem what is wrong with it
	 */
	public UnsupportedKeyException(String problem) {
		super("A key has no canonical form: " + problem, null);
	}

}
