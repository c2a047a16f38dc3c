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

import java.time.Duration;

import io.github.bloomguard.benchmarks.contender.Contender;

/**
 * A load of callers.
 */
public interface Load {

	/**
	 * Return the name in the table.
	 * @return the name
	 */
	String name();

	/**
	 * Bring a contender into the state in which it is to be measured.
	 * @param contender the contender
	 */
	default void prepare(Contender contender) {
	}

	/**
	 * Put the load on a contender.
	 * @param contender the contender
	 * @param duration for how long, if that can be chosen
	 * @return what the callers saw
	 */
	Recording run(Contender contender, Duration duration);

}
