package com.acme.catalogue;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/products")
class ProductController {

	private final Products products;

	ProductController(Products products) {
		this.products = products;
	}

	@GetMapping("/{id}")
	Product find(@PathVariable long id) {
		return this.products.findById(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
	}

	@GetMapping("/{id}/price")
	long price(@PathVariable long id) {
		return 10 * find(id).getName().length();
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Product create(@RequestParam String name) {
		return this.products.save(new Product(name));
	}

}
