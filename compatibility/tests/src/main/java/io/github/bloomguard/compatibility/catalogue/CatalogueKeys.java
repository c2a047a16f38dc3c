package io.github.bloomguard.compatibility.catalogue;

import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;

import org.springframework.stereotype.Component;

/**
 * The ids of all products, and of some that are gone.
 */
@Component
public class CatalogueKeys implements KeySource {

	/**
	 * The highest id of a product.
	 */
	public static final int PRODUCTS = 1000;

	/**
	 * The highest id in the filter.
	 */
	public static final int KEYS = 1100;

	@Override
	public String filter() {
		return "products";
	}

	@Override
	public Stream<?> keys() {
		return LongStream.rangeClosed(1, KEYS).boxed();
	}

}
