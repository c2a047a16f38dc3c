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

package io.github.bloomguard.warmup;

import java.util.List;
import java.util.function.Consumer;

import io.github.bloomguard.generation.Generation;

/**
 * Gives all keys of a filter to its builder.
 */
@FunctionalInterface
public interface KeyScan {

	/**
	 * Give all keys of rows that are visible when the method is called.
	 * @param pass one of several scans for the generation; rows that become visible after
	 * the first one has begun may be left out of all of them
	 * @param sink takes keys in their canonical form, from any thread until the method
	 * returns; it may make the caller wait
	 */
	void scan(Generation generation, Pass pass, Consumer<List<String>> sink) throws Exception;

	/**
	 * One of the scans for a generation, numbered from 1.
	 */
	record Pass(int number, int count) {

		public boolean isFirst() {
			return this.number == 1;
		}

	}

}
