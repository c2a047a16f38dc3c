package com.acme.orders;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class OrderController {

	private final Catalogue catalogue;

	private final Prices prices;

	OrderController(Catalogue catalogue, Prices prices) {
		this.catalogue = catalogue;
		this.prices = prices;
	}

	@GetMapping("/offers/{product}")
	String offer(@PathVariable long product) {
		Product found = this.catalogue.find(product);
		if (found == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such product");
		}
		return "Order a " + found.name();
	}

	@GetMapping("/bills/{product}")
	String bill(@PathVariable long product) {
		Long price = this.prices.of(product);
		if (price == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such product");
		}
		return "Pay " + price;
	}

}
