package io.github.bloomguard.test;

import io.github.bloomguard.annotation.BloomGuarded;

/**
 * An interface with a guarded method.
 */
public interface Prices {

	@BloomGuarded(filter = "prices", key = "#p0")
	String price(long id);

}
