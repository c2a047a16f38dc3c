package io.github.bloomguard.benchmarks.contender;

import org.jspecify.annotations.Nullable;

/**
 * No cache and no guard: each call is a query.
 */
final class BareMethod extends TableContender {

	BareMethod(ProductTable table) {
		super(table);
	}

	@Override
	public String name() {
		return "bare method";
	}

	@Override
	public @Nullable Product find(long id) {
		return table().find(id);
	}

	@Override
	public @Nullable Product findShared(long id) {
		return table().findSlowly(id);
	}

}
