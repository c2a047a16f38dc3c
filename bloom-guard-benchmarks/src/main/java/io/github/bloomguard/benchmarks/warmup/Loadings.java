package io.github.bloomguard.benchmarks.warmup;

import java.util.List;

/**
 * All that is compared.
 */
public final class Loadings implements AutoCloseable {

	private final Loading cursor;

	private final Loading add;

	private final Loading guard;

	private final Loading entity;

	/**
	 * Start what is compared.
	 * @param table the keys
	 * @param expected how many keys there will be
	 * @param added how many of them {@code RBloomFilter.add} is measured with
	 * @param properties more properties of the guard's warm-up, as {@code name=value}
	 */
	public Loadings(KeyTable table, long expected, long added, List<String> properties) {
		FilterSize size = new FilterSize(expected, 0.01);
		this.cursor = new CursorOnly(table);
		this.add = new RedissonAdd(table, size, added);
		this.guard = GuardWarmUp.ofQuery(table, size, properties);
		this.entity = GuardWarmUp.ofEntity(table, size, properties);
	}

	/**
	 * Return all.
	 * @return all in the order of the table
	 */
	public List<Loading> all() {
		return List.of(this.cursor, this.add, this.guard, this.entity);
	}

	/**
	 * Return what nothing can be faster than.
	 * @return reading only
	 */
	public Loading cursor() {
		return this.cursor;
	}

	/**
	 * Return what is to be beaten.
	 * @return Redisson's own way
	 */
	public Loading add() {
		return this.add;
	}

	@Override
	public void close() {
		all().forEach(Loading::close);
	}

}
