package io.github.bloomguard.generation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.StoredFilter;

/**
 * Writes the keys of the journal into a generation that nobody asks yet, in chunks of
 * which a few are under way at a time. Used by one thread.
 */
final class ElementWriter implements AutoCloseable {

	private static final int CHUNK = 1000;

	private static final int UNDER_WAY = 3;

	private final StoredFilter filter;

	private final Generation generation;

	private final Deque<CompletableFuture<Void>> writes = new ArrayDeque<>();

	private List<String> chunk = new ArrayList<>(CHUNK);

	ElementWriter(StoredFilter filter, Generation generation) {
		this.filter = filter;
		this.generation = generation;
	}

	void add(String key) {
		this.chunk.add(this.generation.element(key));
		if (this.chunk.size() == CHUNK) {
			write();
			awaitAtMost(UNDER_WAY - 1);
		}
	}

	void flush() {
		if (!this.chunk.isEmpty()) {
			write();
		}
		awaitAtMost(0);
	}

	private void write() {
		this.writes.add(this.filter.add(this.chunk));
		this.chunk = new ArrayList<>(CHUNK);
	}

	private void awaitAtMost(int underWay) {
		while (this.writes.size() > underWay) {
			this.writes.remove().join();
		}
	}

	@Override
	public void close() {
		this.writes.forEach((write) -> write.cancel(false));
	}

}
