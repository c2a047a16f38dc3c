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

package io.github.bloomguard.jdbc;

import java.util.List;

import io.github.bloomguard.filter.KeyType;

/**
 * The attribute of a mapped class that has the keys.
 *
 * @param types those of its parts
 * @param converted whether its columns have other values
 */
public record KeyAttribute(List<KeyType> types, boolean converted) {

	/**
	 * Create an attribute of a type.
	 */
	public static KeyAttribute of(Class<?> type, boolean converted) {
		return new KeyAttribute(KeyType.parts(type), converted);
	}

	/**
	 * Return what keys are compared with: the attribute, or its columns.
	 */
	List<KeyType> in(QueryColumns columns) {
		return this.converted ? this.types : KeyType.inColumns(this.types, columns.types());
	}

	/**
	 * Return whether the columns have the parts of a key. Those that a converter makes
	 * need not be in their order.
	 */
	boolean isInColumns(List<?> key) {
		return !this.converted && key.size() == this.types.size();
	}

}
