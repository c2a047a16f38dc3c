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

package io.github.bloomguard.chaos;

import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.bloomguard.testsupport.GuardApplication;

/**
 * Inserts customers by a library that tells the guard of them.
 */
interface CustomerWriter {

	/**
	 * Return what an application has for it.
	 */
	List<Object> beans(Ledger ledger);

	/**
	 * Return which properties the filters {@code products} of the ids and {@code names}
	 * have.
	 */
	List<String> properties();

	/**
	 * Insert a few customers together.
	 * @param ids are told the id of each customer by its number
	 * @param inVain whether they are rolled back
	 */
	void write(GuardApplication instance, Ledger ledger, Map<Long, Long> ids, Random random, boolean inVain);

	/**
	 * Return the name of a customer as it is written.
	 */
	static String name(long number) {
		return "Customer-" + number;
	}

	/**
	 * Return a property of a filter.
	 */
	static String property(String filter, String name, String value) {
		return "bloom-guard.filters." + filter + "." + name + "=" + value;
	}

}
