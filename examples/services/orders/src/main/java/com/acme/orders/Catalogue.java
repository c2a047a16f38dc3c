package com.acme.orders;

import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;

@HttpExchange("/products")
interface Catalogue {

	@GetExchange("/{id}")
	@BloomGuarded(filter = "products", key = "#id")
	@Cacheable(cacheNames = "products", unless = "#result == null")
	Product find(@PathVariable long id);

}
