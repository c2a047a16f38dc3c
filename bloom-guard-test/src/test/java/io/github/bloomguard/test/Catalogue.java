package io.github.bloomguard.test;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;

/**
 * A bean with guarded methods.
 */
public class Catalogue implements Prices {

	private final AtomicInteger calls = new AtomicInteger();

	public int calls() {
		return this.calls.get();
	}

	@BloomGuarded(filter = "products", key = "#id")
	public String findById(long id) {
		this.calls.incrementAndGet();
		return "product " + id;
	}

	@BloomGuarded("products")
	public String findByOnlyParameter(long id) {
		return "product " + id;
	}

	@BloomGuarded(filter = "products", keys = "#ids")
	public List<Long> findAllById(List<Long> ids) {
		return ids;
	}

	@BloomAdd("products")
	public void create(long id) {
	}

	public String findByName(String name) {
		return name;
	}

	@Override
	public String price(long id) {
		return "price of " + id;
	}

}
