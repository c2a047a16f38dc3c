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

package io.github.bloomguard.metrics;

import io.micrometer.observation.Observation;

/**
 * Context of an observation of the guard: an operation on one filter.
 */
public final class GuardObservationContext extends Observation.Context {

	private final String filter;

	private final Operation operation;

	GuardObservationContext(String filter, Operation operation) {
		this.filter = filter;
		this.operation = operation;
	}

	public String getFilter() {
		return this.filter;
	}

	public Operation getOperation() {
		return this.operation;
	}

	/**
	 * Operation that is observed.
	 */
	public enum Operation {

		ADD,

		/**
		 * All keys are loaded, and calls go through meanwhile.
		 */
		WARM_UP,

		/**
		 * All keys are loaded again, and the filter answers meanwhile.
		 */
		REBUILD

	}

}
