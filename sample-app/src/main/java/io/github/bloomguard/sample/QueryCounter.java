package io.github.bloomguard.sample;

import java.util.concurrent.atomic.LongAdder;

import org.springframework.stereotype.Component;

/**
 * Counts the statements that the {@link ProductRepository} has sent to the database. The
 * filter's warm-up is not among them.
 */
@Component
class QueryCounter {

	private final LongAdder queries = new LongAdder();

	private final LongAdder inserts = new LongAdder();

	void countQuery() {
		this.queries.increment();
	}

	void countInsert() {
		this.inserts.increment();
	}

	Stats stats() {
		return new Stats(this.queries.sum(), this.inserts.sum());
	}

	/**
	 * What the database had to do since the start.
	 *
	 * @param queries how many times products were read from it
	 * @param inserts how many products were written to it
	 */
	record Stats(long queries, long inserts) {
	}

}
