package com.acme;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/products")
public class Products {

	private final DatabaseClient database;

	Products(DatabaseClient database) {
		this.database = database;
	}

	@GetMapping("/{id}")
	@BloomGuarded(filter = "products", key = "#id")
	public Mono<Product> findById(@PathVariable("id") long id) {
		return this.database.sql("select id, name from product where id = :id")
			.bind("id", id)
			.mapProperties(Product.class)
			.one();
	}

	@PostMapping
	@Transactional
	@BloomAdd(filter = "products", key = "#result.id")
	public Mono<Product> create(@RequestBody String name) {
		return this.database.sql("insert into product (name) values (:name) returning id, name")
			.bind("name", name)
			.mapProperties(Product.class)
			.one();
	}

	public record Product(long id, String name) {

	}

}
