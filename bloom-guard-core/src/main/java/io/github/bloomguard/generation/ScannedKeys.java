package io.github.bloomguard.generation;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.bloomguard.filter.KeyShape;

/**
 * Passes keys on, and remembers whether there were any and what they look like. Takes
 * them from any thread.
 */
final class ScannedKeys implements Consumer<List<String>> {

	private static final int SHAPES = 3;

	private final Consumer<List<String>> sink;

	private final AtomicBoolean any = new AtomicBoolean();

	private final Set<String> shapes = ConcurrentHashMap.newKeySet();

	ScannedKeys(Consumer<List<String>> sink) {
		this.sink = sink;
	}

	@Override
	public void accept(List<String> keys) {
		if (!keys.isEmpty()) {
			this.any.lazySet(true);
			if (this.shapes.size() < SHAPES) {
				this.shapes.add(KeyShape.of(keys.get(0)));
			}
			this.sink.accept(keys);
		}
	}

	boolean isEmpty() {
		return !this.any.get();
	}

	/**
	 * Return some of the shapes that the keys have.
	 */
	String shapes() {
		return String.join(" or ", this.shapes);
	}

}
