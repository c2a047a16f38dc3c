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

package io.github.bloomguard.benchmarks.load;

/**
 * The rows that there are, from the id 1 on. Some at the end are set apart, to be read
 * while they are cold.
 *
 * @param count the number of rows
 */
public record Rows(int count) {

	private static final int COLD = 1000;

	/**
	 * Check the number.
	 */
	public Rows {
		if (count < 2 * COLD) {
			throw new IllegalArgumentException("There must be at least " + 2 * COLD + " rows");
		}
	}

	boolean exists(long id) {
		return id >= 1 && id <= this.count;
	}

	/**
	 * Return the number of rows that are read again and again.
	 */
	int warm() {
		return this.count - COLD;
	}

}
