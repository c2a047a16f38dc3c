package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.warmup.CatchUpSource;
import io.github.bloomguard.warmup.CatchUpSpecification;

/**
 * Makes sources of the keys to catch up with, where there is a database.
 */
@FunctionalInterface
interface QueryCatchUpSources {

	CatchUpSource create(CatchUpSpecification specification, int fetchSize);

}
