package com.acme;

import java.util.Optional;

import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.data.mongodb.repository.MongoRepository;

public interface Products extends MongoRepository<Product, String> {

	@Override
	@BloomGuarded(filter = "products")
	@Cacheable("products")
	Optional<Product> findById(String id);

}
