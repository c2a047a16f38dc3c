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

package io.github.bloomguard.compatibility.catalogue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/**
 * The guarded service. It counts how often it is really asked.
 */
@Service
public class Catalogue {

	private final Map<Long, Product> products = new ConcurrentHashMap<>();

	private final AtomicInteger calls = new AtomicInteger();

	Catalogue() {
		for (long id = 1; id <= CatalogueKeys.PRODUCTS; id++) {
			this.products.put(id, new Product(id, "Product " + id));
		}
	}

	/**
	 * Find a product.
	 * @param id its id
	 * @return the product, or {@code null} if there is none
	 */
	@BloomGuarded(filter = "products", key = "#id")
	@Cacheable("products")
	public @Nullable Product find(long id) {
		this.calls.incrementAndGet();
		return this.products.get(id);
	}

	/**
	 * Create a product.
	 * @param id its id
	 * @param name its name
	 * @return the product
	 */
	@BloomAdd(filter = "products", key = "#id")
	public Product create(long id, String name) {
		Product product = new Product(id, name);
		this.products.put(id, product);
		return product;
	}

	/**
	 * Find the label of a product.
	 * @param id the id of the product
	 * @return the label, or {@code null} if there is none
	 */
	@BloomGuarded(filter = "products", key = "#id")
	@Cacheable("labels")
	public @Nullable Label label(long id) {
		this.calls.incrementAndGet();
		Product product = this.products.get(id);
		return (product != null) ? new Label(product.name()) : null;
	}

	/**
	 * Return how often a product was looked for here.
	 * @return the number of calls that were answered neither by a filter nor by a cache
	 */
	public int calls() {
		return this.calls.get();
	}

}
