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

import java.util.List;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.metrics.GuardObservationContext.Operation;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes warm-ups, rebuilds and additions as {@code bloom.guard.warm.up},
 * {@code bloom.guard.rebuild} and {@code bloom.guard.add}, each with the key
 * {@code filter}.
 */
public final class GuardObservations implements BloomGuardListener {

	private final ObservationRegistry registry;

	private final @Nullable GuardObservationConvention convention;

	public GuardObservations(ObservationRegistry registry, @Nullable GuardObservationConvention convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void onAddStarted(String filter, int keys) {
		start(Operation.ADD, filter);
	}

	@Override
	public void onAdded(String filter, int keys) {
		stop(null, Operation.ADD);
	}

	@Override
	public void onAddFailed(String filter, int keys, Throwable cause) {
		stop(cause, Operation.ADD);
	}

	@Override
	public void onLoadStarted(String filter, boolean rebuild) {
		start(rebuild ? Operation.REBUILD : Operation.WARM_UP, filter);
	}

	@Override
	public void onLoadEnded(String filter, @Nullable Throwable failure) {
		stop(failure, Operation.WARM_UP, Operation.REBUILD);
	}

	private void start(Operation operation, String filter) {
		Observation
			.start((this.convention != null) ? new Named(operation, this.convention) : null,
					new Named(operation, GuardObservationConvention.DEFAULT),
					() -> new GuardObservationContext(filter, operation), this.registry)
			.openScope();
	}

	private void stop(@Nullable Throwable failure, Operation... operations) {
		Observation.Scope scope = this.registry.getCurrentObservationScope();
		if (scope == null) {
			return;
		}
		Observation observation = scope.getCurrentObservation();
		if (observation.getContextView() instanceof GuardObservationContext context
				&& List.of(operations).contains(context.getOperation())) {
			if (failure != null) {
				observation.error(failure);
			}
			scope.close();
			observation.stop();
		}
	}

	/**
	 * Convention for one operation: Micrometer asks for names without a context.
	 */
	private record Named(Operation operation,
			GuardObservationConvention convention) implements ObservationConvention<GuardObservationContext> {

		@Override
		public String getName() {
			String name = this.convention.getName();
			return (name != null) ? name : this.convention.getName(this.operation);
		}

		@Override
		public @Nullable String getContextualName(GuardObservationContext context) {
			return this.convention.getContextualName(context);
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(GuardObservationContext context) {
			return this.convention.getLowCardinalityKeyValues(context);
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(GuardObservationContext context) {
			return this.convention.getHighCardinalityKeyValues(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return this.convention.supportsContext(context);
		}

	}

}
