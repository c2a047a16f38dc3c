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

package io.github.bloomguard.filter;

import java.util.List;
import java.util.Optional;

import io.github.bloomguard.KeyEquality;

/**
 * An equality that follows from the types of the columns alone. So it can be written
 * down, and applications that do not have the source can apply it.
 */
public interface TypedKeys extends KeyEquality {

	/**
	 * Return the types that keys are compared with, for each part of a key. Called after
	 * {@link io.github.bloomguard.KeySource#database()}, and must not wait.
	 * @return empty if the types do not tell everything
	 */
	Optional<List<KeyType>> keyTypes();

}
