package com.acme;

import java.io.Serializable;
import java.util.Optional;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Products {

	private final JdbcClient jdbc;

	Products(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@BloomGuarded(filter = "products", key = "#id")
	@Cacheable("products")
	public Optional<Product> findById(long id) {
		return this.jdbc.sql("select id, name from product where id = ?").param(id).query(Product.class).optional();
	}

	@Transactional
	@BloomAdd(filter = "products", key = "#result.id")
	public Product create(String name) {
		GeneratedKeyHolder key = new GeneratedKeyHolder();
		this.jdbc.sql("insert into product (name) values (?)").param(name).update(key, "id");
		return new Product(key.getKey().longValue(), name);
	}

	public record Product(long id, String name) implements Serializable {

	}

}
