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

package io.github.bloomguard.compatibility.reactive;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.compatibility.catalogue.CatalogueKeys;
import io.github.bloomguard.compatibility.catalogue.Product;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * The guarded service. It writes down the threads on which it is asked.
 */
@Service
public class ReactiveCatalogue {

	private final Map<Long, Product> products = new ConcurrentHashMap<>();

	private final List<String> threads = new CopyOnWriteArrayList<>();

	ReactiveCatalogue() {
		for (long id = 1; id <= CatalogueKeys.PRODUCTS; id++) {
			this.products.put(id, new Product(id, "Product " + id));
		}
	}

	/**
	 * Find a product.
	 * @param id its id
	 * @return the product, or nothing
	 */
	@BloomGuarded(filter = "products", key = "#id")
	public Mono<Product> find(long id) {
		return Mono.fromSupplier(() -> {
			this.threads.add(Thread.currentThread().getName());
			return this.products.get(id);
		});
	}

	/**
	 * Find products.
	 * @param ids their ids
	 * @return those that exist
	 */
	@BloomGuarded(filter = "products", keys = "#ids")
	public Flux<Product> findAll(Collection<Long> ids) {
		return Flux.fromIterable(ids).doOnSubscribe((subscription) -> {
			this.threads.add(Thread.currentThread().getName());
		}).mapNotNull(this.products::get);
	}

	/**
	 * Create a product.
	 * @param id its id
	 * @return the product
	 */
	@BloomAdd(filter = "products", key = "#id")
	public Mono<Product> create(long id) {
		return Mono.fromSupplier(() -> {
			Product product = new Product(id, "Product " + id);
			this.products.put(id, product);
			return product;
		});
	}

	/**
	 * Return the names of the threads on which products were looked for, and forget them.
	 * @return the names
	 */
	public List<String> drainThreads() {
		List<String> drained = List.copyOf(this.threads);
		this.threads.clear();
		return drained;
	}

}
