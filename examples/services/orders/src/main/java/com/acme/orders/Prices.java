package com.acme.orders;

import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

@FeignClient(name = "prices", url = "${catalogue.url}")
interface Prices {

	@GetMapping("/products/{id}/price")
	@BloomGuarded(filter = "products", key = "#id")
	Long of(@PathVariable long id);

}
