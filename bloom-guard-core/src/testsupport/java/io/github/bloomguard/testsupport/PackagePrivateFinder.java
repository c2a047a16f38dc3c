package io.github.bloomguard.testsupport;

import io.github.bloomguard.annotation.BloomGuarded;

/**
 * Has a guarded method that a proxy in another package can't override.
 */
public class PackagePrivateFinder {

	@BloomGuarded("products")
	String find(long id) {
		return "product";
	}

}
