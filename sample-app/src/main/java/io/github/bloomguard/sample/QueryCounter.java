/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
