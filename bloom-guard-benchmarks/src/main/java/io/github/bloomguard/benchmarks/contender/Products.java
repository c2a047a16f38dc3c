package io.github.bloomguard.benchmarks.contender;

import org.jspecify.annotations.Nullable;

/**
 * A service as an application has it, for Spring to put a proxy around.
 */
interface Products {

	@Nullable Product find(long id);

	@Nullable Product findShared(long id);

}
