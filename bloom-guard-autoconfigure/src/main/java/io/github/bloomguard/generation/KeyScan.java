package io.github.bloomguard.generation;

import java.util.function.Consumer;

/**
 * Gives all keys of a filter to its builder.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KeyScan {

	/**
	 * Give all keys that are in a row which is visible when the method is called.
	 * @param generation the generation that they are for
	 * @param sink takes a key in its one form; it may make the caller wait
	 * @throws Exception if the source fails
	 */
	void scan(Generation generation, Consumer<String> sink) throws Exception;

}
