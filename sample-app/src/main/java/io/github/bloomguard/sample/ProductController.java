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

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Size;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The catalogue over HTTP. Each response says in the header {@value ServedBy#HEADER} who
 * has answered it.
 */
@RestController
@RequestMapping("/products")
class ProductController {

	static final int MAX_IDS = 500;

	private final ProductCatalogue catalogue;

	private final RequestTrace trace;

	ProductController(ProductCatalogue catalogue, RequestTrace trace) {
		this.catalogue = catalogue;
		this.trace = trace;
	}

	@GetMapping("/{id}")
	ResponseEntity<?> one(@PathVariable long id) {
		Product product = this.catalogue.findById(id);
		if (product == null) {
			return respond(HttpStatus.NOT_FOUND, this.trace.servedBy(null))
				.body(ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "There is no product " + id));
		}
		return respond(HttpStatus.OK, this.trace.servedBy(product)).body(product);
	}

	@GetMapping
	ResponseEntity<List<Product>> many(@RequestParam @Size(min = 1, max = MAX_IDS) List<Long> ids) {
		List<Product> products = this.catalogue.findAllById(new LinkedHashSet<>(ids));
		return respond(HttpStatus.OK, this.trace.servedBy()).body(products);
	}

	@PostMapping
	ResponseEntity<Product> create(@RequestBody @Valid NewProduct newProduct) {
		Product product = this.catalogue.create(newProduct);
		return respond(HttpStatus.CREATED, this.trace.servedBy(product))
			.location(URI.create("/products/" + product.id()))
			.body(product);
	}

	private static ResponseEntity.BodyBuilder respond(HttpStatus status, ServedBy servedBy) {
		return ResponseEntity.status(status).header(ServedBy.HEADER, servedBy.toString());
	}

}
