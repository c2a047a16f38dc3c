package io.github.bloomguard.backend.redis.module;

import java.nio.charset.StandardCharsets;

import io.github.bloomguard.backend.redis.QueuedLookup;

/**
 * A question for an element.
 */
final class ElementLookup extends QueuedLookup {

	private final byte[] element;

	ElementLookup(String element) {
		this.element = element.getBytes(StandardCharsets.UTF_8);
	}

	byte[] element() {
		return this.element;
	}

}
