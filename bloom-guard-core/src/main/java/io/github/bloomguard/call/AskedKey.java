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

package io.github.bloomguard.call;

import java.util.List;

/**
 * The key that a method asks a filter for, adds or removes, as far as its declaration
 * tells.
 *
 * @param asking the annotation, the method and what it does, to be read before the parts
 * @param method the name of the method
 * @param changing whether it adds or removes the key
 * @param parts its parts; a single one whose type has parts itself is a composite key
 */
public record AskedKey(String asking, String method, boolean changing, List<Part> parts) {

	/**
	 * A part of a key.
	 *
	 * @param name of the parameter, empty if it is not known
	 * @param type {@code Object} if it is not known
	 */
	public record Part(String name, Class<?> type) {

		@Override
		public String toString() {
			return (this.type.getSimpleName() + " " + this.name).strip();
		}

	}

}
