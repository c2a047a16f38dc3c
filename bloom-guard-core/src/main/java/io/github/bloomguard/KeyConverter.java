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
 * Gives keys of one type a form that a filter can hold; each bean of this type is used.
 * Needed only for types without a canonical form. Records, collections and arrays may be
 * converted, too; numbers, text, enums, UUIDs, booleans and dates never are.
 *
 * @param <T> the type of the keys
 * @since 1.0.0
 */
public interface KeyConverter<T> {

	/**
	 * Return the type of the keys. Keys of its subtypes are converted too.
	 * @return the type
	 */
	Class<T> type();

	/**
	 * Convert a key. Equal keys must give equal results, in each version of the
	 * application that shares the filter.
	 * @param key the key
	 * @return a number, string, UUID, enum or date, or a record or collection of these
	 */
	Object convert(T key);

}
