package io.github.bloomguard.cache;

import java.util.function.BooleanSupplier;

/**
 * The load of one entry that a caller asks for.
 */
interface CacheLoad {

	/**
	 * Return the entry.
	 * @return the entry
	 */
	EntryKey entry();

	/**
	 * Return the rules of its cache.
	 * @return the rules
	 */
	CacheRules rules();

	/**
	 * Call the loader and store what it returns. It is no failure of the load if Redis
	 * doesn't take it.
	 * @param storable asked after the load, whether its value is to be stored
	 * @return the value
	 */
	byte[] run(BooleanSupplier storable);

}
