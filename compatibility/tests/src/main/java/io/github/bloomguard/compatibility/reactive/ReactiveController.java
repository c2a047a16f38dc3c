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

import java.util.List;

import io.github.bloomguard.compatibility.catalogue.Product;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The service over HTTP.
 */
@RestController
class ReactiveController {

	private final ReactiveCatalogue catalogue;

	ReactiveController(ReactiveCatalogue catalogue) {
		this.catalogue = catalogue;
	}

	@GetMapping("/products/{id}")
	Mono<ResponseEntity<Product>> find(@PathVariable("id") long id) {
		return this.catalogue.find(id).map(ResponseEntity::ok).defaultIfEmpty(ResponseEntity.notFound().build());
	}

	@GetMapping("/products")
	Flux<Product> findAll(@RequestParam("ids") List<Long> ids) {
		return this.catalogue.findAll(ids);
	}

	@PostMapping("/products/{id}")
	Mono<Product> create(@PathVariable("id") long id) {
		return this.catalogue.create(id);
	}

	/**
	 * Do what nobody may do here, to see that it is noticed.
	 */
	@GetMapping("/block")
	String block() throws InterruptedException {
		Thread.sleep(1);
		return "blocked";
	}

}
