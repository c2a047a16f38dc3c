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

import io.github.bloomguard.BloomGuardListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes what takes its time, as {@code bloom.guard.warm.up},
 * {@code bloom.guard.rebuild} and {@code bloom.guard.add}, each with the key
 * {@code filter}: for timers, and for traces with the queries and commands in them.
 *
 * @since 1.0.0
 */
public final class GuardObservations implements BloomGuardListener {

	private static final String PREFIX = "bloom.guard.";

	private static final String ADD = "add";

	private static final String WARM_UP = "warm.up";

	private static final String REBUILD = "rebuild";

	private final ObservationRegistry registry;

	/**
	 * Create a listener.
	 * @param registry handles the observations
	 */
	public GuardObservations(ObservationRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onAddStarted(String filter, int keys) {
		start(ADD, filter);
	}

	@Override
	public void onAdded(String filter, int keys) {
		stop(null, ADD);
	}

	@Override
	public void onAddFailed(String filter, int keys, Throwable cause) {
		stop(cause, ADD);
	}

	@Override
	public void onLoadStarted(String filter, boolean rebuild) {
		start(rebuild ? REBUILD : WARM_UP, filter);
	}

	@Override
	public void onLoadEnded(String filter, @Nullable Throwable failure) {
		stop(failure, WARM_UP, REBUILD);
	}

	private void start(String name, String filter) {
		Observation.createNotStarted(PREFIX + name, this.registry)
			.contextualName(PREFIX + name + " " + filter)
			.lowCardinalityKeyValue("filter", filter)
			.start()
			.openScope();
	}

	/**
	 * Stop what this thread has started, if it has.
	 */
	private void stop(@Nullable Throwable failure, String... names) {
		Observation.Scope scope = this.registry.getCurrentObservationScope();
		if (scope == null) {
			return;
		}
		Observation observation = scope.getCurrentObservation();
		for (String name : names) {
			if ((PREFIX + name).equals(observation.getContextView().getName())) {
				if (failure != null) {
					observation.error(failure);
				}
				scope.close();
				observation.stop();
				return;
			}
		}
	}

}
