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

package io.github.bloomguard.benchmarks.call;

import java.util.UUID;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.annotation.Cacheable;

/**
 * Methods that do nothing, each with one annotation.
 */
public class Catalogue {

	private static final Object PRODUCT = new Object();

	/**
	 * Cached, with the key that Spring makes by default.
	 * @param id the key
	 * @return something
	 */
	@Cacheable("products")
	public @Nullable Object cached(long id) {
		return PRODUCT;
	}

	/**
	 * Cached, with the key as an expression.
	 * @param id the key
	 * @return something
	 */
	@Cacheable(cacheNames = "productsByExpression", key = "#id")
	public @Nullable Object cachedByExpression(long id) {
		return PRODUCT;
	}

	/**
	 * Looked for in a cache in which it never is.
	 * @param id the key
	 * @return something
	 */
	@Cacheable(cacheNames = "uncached", unless = "true")
	public @Nullable Object loaded(long id) {
		return PRODUCT;
	}

	/**
	 * Guarded, with the only parameter as the key.
	 * @param id the key
	 * @return something
	 */
	@BloomGuarded(filter = "products", emptyTtl = "0s")
	public @Nullable Object guarded(long id) {
		return product(id);
	}

	/**
	 * Guarded, with the key as an expression.
	 * @param id the key
	 * @return something
	 */
	@BloomGuarded(filter = "products", key = "#id", emptyTtl = "0s")
	public @Nullable Object guardedByExpression(long id) {
		return product(id);
	}

	/**
	 * Guarded, with a text as the key.
	 * @param code the key
	 * @return something
	 */
	@BloomGuarded(filter = "products", emptyTtl = "0s")
	public @Nullable Object guardedByText(String code) {
		return code.startsWith("absent") ? null : PRODUCT;
	}

	/**
	 * Guarded, with a UUID as the key.
	 * @param uuid the key
	 * @return something
	 */
	@BloomGuarded(filter = "products", emptyTtl = "0s")
	public @Nullable Object guardedByUuid(UUID uuid) {
		return (uuid.getMostSignificantBits() > 0) ? PRODUCT : null;
	}

	/**
	 * Return nothing for keys that the filter calls absent: what is looked up behind an
	 * answer would contradict it otherwise.
	 */
	private static @Nullable Object product(long id) {
		return (id > 0) ? PRODUCT : null;
	}

}
