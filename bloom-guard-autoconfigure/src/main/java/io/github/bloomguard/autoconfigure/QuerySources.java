package io.github.bloomguard.autoconfigure;

import java.util.List;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;

/**
 * Makes sources of keys from queries, where there is a database.
 */
interface QuerySources {

	KeySource keys(String filter, BloomGuardProperties.WarmUp warmUp, String query);

	/**
	 * Return the types of the columns that a query gives; none if the database does not
	 * tell.
	 */
	List<String> columnTypes(String filter, BloomGuardProperties.WarmUp warmUp, String query);

	CatchUpSource changes(CatchUpSpecification specification, int fetchSize);

}
