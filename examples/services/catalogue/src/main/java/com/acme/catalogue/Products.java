package com.acme.catalogue;

import java.util.Optional;

import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.data.repository.CrudRepository;

public interface Products extends CrudRepository<Product, Long> {

	@Override
	@BloomGuarded(filter = "products", key = "#id")
	@Cacheable("products")
	Optional<Product> findById(Long id);

}
