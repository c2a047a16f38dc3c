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

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Repository;

/**
 * The products in the database. Each method sends one statement and counts it, so what
 * the counter says is what the database got.
 */
@Repository
class ProductRepository {

	private final ProductEntities products;

	private final QueryCounter counter;

	private final RequestTrace trace;

	ProductRepository(ProductEntities products, QueryCounter counter, RequestTrace trace) {
		this.products = products;
		this.counter = counter;
		this.trace = trace;
	}

	@Nullable Product findById(long id) {
		countQuery();
		return this.products.findById(id).map(ProductEntity::toProduct).orElse(null);
	}

	List<Product> findAllById(Collection<Long> ids) {
		countQuery();
		return this.products.findByIdInOrderById(ids).stream().map(ProductEntity::toProduct).toList();
	}

	Product insert(NewProduct product) {
		this.counter.countInsert();
		this.trace.reachedDatabase();
		return this.products.save(new ProductEntity(product.name(), product.price().setScale(2))).toProduct();
	}

	private void countQuery() {
		this.counter.countQuery();
		this.trace.reachedDatabase();
	}

}
