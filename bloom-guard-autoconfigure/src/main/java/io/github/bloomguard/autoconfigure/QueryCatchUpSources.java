package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;

/**
 * Makes sources of the keys to catch up with, where there is a database.
 */
@FunctionalInterface
interface QueryCatchUpSources {

	CatchUpSource create(CatchUpSpecification specification, int fetchSize);

}
