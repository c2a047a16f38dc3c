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

import java.util.List;

/**
 * All loads.
 */
public final class Loads {

	private Loads() {
	}

	/**
	 * Return the load of callers that read rows only.
	 * @param rows the rows that there are
	 * @return the load
	 */
	public static Load legitimate(Rows rows) {
		return new Legitimate(8, rows, new PopularKeys(rows));
	}

	/**
	 * Return the loads that show what guarded caches cost.
	 * @param rows the rows that there are
	 * @return the loads in the order of the table
	 */
	public static List<Load> ofCaches(Rows rows) {
		PopularKeys keys = new PopularKeys(rows);
		return List.of(new Legitimate(8, rows, keys), new Legitimate(64, rows, keys), new NullHits(8, rows),
				new SharedHits(8, rows));
	}

	/**
	 * Return the loads.
	 * @param rows the rows that there are
	 * @return the loads in the order of the table
	 */
	public static List<Load> over(Rows rows) {
		PopularKeys keys = new PopularKeys(rows);
		return List.of(new Attack(8, rows), new Attack(64, rows), new Legitimate(8, rows, keys),
				new Legitimate(64, rows, keys), new Mixed(8, rows, keys), new ColdHotKey(rows));
	}

}
