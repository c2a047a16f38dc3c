package io.github.bloomguard.benchmarks.contender;

import org.jspecify.annotations.Nullable;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * One way to read a product. It has a Redis server of its own, so that what the server
 * spends is spent on it alone.
 */
public interface Contender extends AutoCloseable {

	/**
	 * Return the name in the table.
	 * @return the name
	 */
	String name();

	/**
	 * Read a product.
	 * @param id its id
	 * @return the product, or {@code null} if there is none
	 */
	@Nullable Product find(long id);

	/**
	 * Read a product from a slow query, sharing the load with others if that can be done.
	 * @param id its id
	 * @return the product, or {@code null} if there is none
	 */
	@Nullable Product findShared(long id);

	/**
	 * Return the number of queries that this contender has sent to the database.
	 * @return the number since the start
	 */
	long queries();

	/**
	 * Return the Redis server of this contender.
	 * @return the server
	 */
	LocalRedis redis();

	@Override
	void close();

}
