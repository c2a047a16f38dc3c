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

package io.github.bloomguard.sample;

import java.util.Collection;
import java.util.List;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The products, behind the filter {@code products}. These methods show all that an
 * application has to do.
 */
@Service
public class ProductCatalogue {

	private final ProductRepository repository;

	ProductCatalogue(ProductRepository repository) {
		this.repository = repository;
	}

	/**
	 * Find a product. The filter is asked first, then the cache, then the database.
	 * @param id its id
	 * @return the product, or {@code null} if there is none
	 */
	@BloomGuarded(filter = "products", key = "#id")
	@Cacheable("products")
	public @Nullable Product findById(long id) {
		return this.repository.findById(id);
	}

	/**
	 * Find many products. The method gets only the ids that may exist, and is not called
	 * if there are none.
	 * @param ids their ids
	 * @return those that exist, ordered by id
	 */
	@BloomGuarded(filter = "products", keys = "#ids")
	public List<Product> findAllById(Collection<Long> ids) {
		return this.repository.findAllById(ids);
	}

	/**
	 * Create a product. It is found from now on, because the filter is one of the entity
	 * that this inserts.
	 * @param product what to create
	 * @return the product with its id
	 */
	@Transactional
	public Product create(NewProduct product) {
		return this.repository.insert(product);
	}

}
