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

import java.util.Locale;

import io.github.bloomguard.metrics.GuardObservationContext.Operation;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observations of the guard and gives their keys. A bean of this type replaces
 * the default, which is what the methods return.
 */
public interface GuardObservationConvention extends ObservationConvention<GuardObservationContext> {

	GuardObservationConvention DEFAULT = new GuardObservationConvention() {
	};

	/**
	 * Return the name of the observations of an operation, unless {@link #getName()}
	 * names all of them.
	 */
	default String getName(Operation operation) {
		return "bloom.guard." + operation.name().toLowerCase(Locale.ROOT).replace('_', '.');
	}

	@Override
	default String getContextualName(GuardObservationContext context) {
		return getName(context.getOperation()) + " " + context.getFilter();
	}

	@Override
	default KeyValues getLowCardinalityKeyValues(GuardObservationContext context) {
		return KeyValues.of("filter", context.getFilter());
	}

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof GuardObservationContext;
	}

}
