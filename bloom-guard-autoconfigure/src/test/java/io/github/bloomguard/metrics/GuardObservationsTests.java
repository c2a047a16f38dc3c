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
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GuardObservations}.
 */
@Tag("slow")
class GuardObservationsTests {

	private final Stopped stopped = new Stopped();

	@Test
	void loadingAndRebuildingAFilterIsObserved() {
		try (GuardApplication application = startInMemory(new Keys("products", 10))) {
			application.awaitReady();
			awaitStopped("bloom.guard.warm.up products");
			assertThat(this.stopped.errors).isEmpty();
			application.guard().rebuild("products");
			awaitStopped("bloom.guard.rebuild products");
			assertThat(application.bean(MeterRegistry.class)
				.get("bloom.guard.rebuild")
				.tags("filter", "products", "error", "none")
				.timer()
				.count()).isOne();
		}
	}

	@Test
	void sourceThatFailsIsAnErrorOfItsWarmUp() {
		Keys keys = new Keys("products", 10);
		keys.beforeRead(() -> {
			throw new IllegalStateException("No database");
		});
		try (GuardApplication application = startInMemory(keys)) {
			Awaitility.await().until(() -> !this.stopped.errors.isEmpty());
			assertThat(this.stopped.names).contains("bloom.guard.warm.up products");
			keys.beforeRead(() -> {
			});
			application.awaitReady();
		}
	}

	@Test
	void addIsObservedInTheObservationOfItsCaller() {
		try (GuardApplication application = startInMemory(new Keys("products", 10))) {
			application.awaitReady();
			ObservationRegistry registry = application.bean(ObservationRegistry.class);
			Observation.createNotStarted("order", registry).observe(() -> {
				application.guard().add("products", 11, 12);
				assertThat(registry.getCurrentObservation()).isNotNull()
					.extracting((observation) -> observation.getContextView().getName())
					.isEqualTo("order");
			});
			awaitStopped("bloom.guard.add products");
			assertThat(this.stopped.parents).contains("order");
		}
	}

	@Test
	void keysThatCanNotBeAddedAreCountedAndAnErrorOfTheirAdd() {
		try (TestRedis redis = TestRedis.start();
				GuardApplication application = GuardApplication.start(redis,
						List.of(new Keys("products", 10), this.stopped), "bloom-guard.timeout=200ms",
						"bloom-guard.add-timeout=200ms")) {
			application.awaitReady();
			redis.freeze();
			assertThatExceptionOfType(KeyNotAddedException.class)
				.isThrownBy(() -> application.guard().add("products", 11, 12));
			redis.thaw();
			awaitStopped("bloom.guard.add products");
			assertThat(this.stopped.errors).hasSize(1).first().isInstanceOf(KeyNotAddedException.class);
			assertThat(application.bean(MeterRegistry.class)
				.get("bloom.guard.keys")
				.tags("filter", "products", "outcome", "not_added")
				.functionCounter()
				.count()).isEqualTo(2);
			assertThat(application.bean(ObservationRegistry.class).getCurrentObservation()).isNull();
		}
	}

	@Test
	void conventionOfTheApplicationNamesWhatIsObserved() {
		try (GuardApplication application = GuardApplication.start(
				List.of(new Keys("products", 10), this.stopped, new ShopConvention()),
				"bloom-guard.filters.products.type=memory")) {
			application.awaitReady();
			awaitStopped("shop.warm_up at products");
			application.guard().add("products", 11);
			awaitStopped("shop.add at products");
			assertThat(application.bean(MeterRegistry.class).get("shop.add").tags("team", "catalogue").timer().count())
				.isOne();
		}
	}

	@Test
	void whatThisThreadHasNotStartedIsLeftAlone() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(this.stopped);
		BloomGuardListener observations = new GuardObservations(registry, null);
		observations.onLoadEnded("products", null);
		Observation.createNotStarted("order", registry).observe(() -> observations.onAdded("products", 1));
		assertThat(this.stopped.names).containsExactly("order");
	}

	private GuardApplication startInMemory(Keys keys) {
		return GuardApplication.start(List.of(keys, this.stopped), "bloom-guard.filters.products.type=memory");
	}

	private void awaitStopped(String name) {
		Awaitility.await().until(() -> this.stopped.names.contains(name));
	}

	private static final class ShopConvention implements GuardObservationConvention {

		@Override
		public String getName(GuardObservationContext.Operation operation) {
			return "shop." + operation.name().toLowerCase(Locale.ROOT);
		}

		@Override
		public String getContextualName(GuardObservationContext context) {
			return getName(context.getOperation()) + " at " + context.getFilter();
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(GuardObservationContext context) {
			return KeyValues.of("team", "catalogue");
		}

	}

	private static final class Stopped implements ObservationHandler<Observation.Context> {

		private final List<String> names = new CopyOnWriteArrayList<>();

		private final List<String> parents = new CopyOnWriteArrayList<>();

		private final List<Throwable> errors = new CopyOnWriteArrayList<>();

		@Override
		public void onStop(Observation.Context context) {
			if (context.getError() != null) {
				this.errors.add(context.getError());
			}
			if (context.getParentObservation() != null) {
				this.parents.add(context.getParentObservation().getContextView().getName());
			}
			this.names.add((context.getContextualName() != null) ? context.getContextualName() : context.getName());
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
