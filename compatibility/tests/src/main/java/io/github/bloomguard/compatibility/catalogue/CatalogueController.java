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

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The service over HTTP, where there is Spring MVC.
 */
@RestController
class CatalogueController {

	private final Catalogue catalogue;

	CatalogueController(Catalogue catalogue) {
		this.catalogue = catalogue;
	}

	@GetMapping("/products/{id}")
	ResponseEntity<Product> find(@PathVariable("id") long id) {
		return ResponseEntity.ofNullable(this.catalogue.find(id));
	}

	@PostMapping("/products/{id}/{name}")
	Product create(@PathVariable("id") long id, @PathVariable("name") String name) {
		return this.catalogue.create(id, name);
	}

}
