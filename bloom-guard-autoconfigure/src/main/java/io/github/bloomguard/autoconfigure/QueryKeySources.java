package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.KeySource;

/**
 * Makes sources of keys from queries, where there is a database.
 */
@FunctionalInterface
interface QueryKeySources {

	KeySource create(String filter, BloomGuardProperties.WarmUp warmUp, String query);

}
