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
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.advisor.LoadObserver;
import io.github.bloomguard.advisor.LoadOutcome;
import io.github.bloomguard.advisor.ObservedMethod;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of the loads of methods that no filter guards.
 */
public final class LoadMeters implements MeterBinder {

	private final LoadObserver observer;

	public LoadMeters(LoadObserver observer) {
		this.observer = observer;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.observer.listen((method) -> {
			for (LoadOutcome outcome : LoadOutcome.values()) {
				bind(method, outcome, registry);
			}
		});
	}

	private static void bind(ObservedMethod method, LoadOutcome outcome, MeterRegistry registry) {
		Tags tags = Tags.of("class", method.type(), "method", method.name(), "outcome",
				outcome.name().toLowerCase(Locale.ROOT));
		FunctionTimer
			.builder("bloom.guard.advisor.loads", method, (loads) -> loads.count(outcome),
					(loads) -> loads.time(outcome).toNanos(), TimeUnit.NANOSECONDS)
			.description("Loads of methods that no filter guards")
			.tags(tags)
			.register(registry);
		Gauge.builder("bloom.guard.advisor.keys", method, (loads) -> loads.keys(outcome))
			.description("Different keys of these loads, estimated")
			.tags(tags)
			.register(registry);
	}

}
