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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.endpoint.FilterReport;
import io.github.bloomguard.health.BloomGuardHealthIndicator;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.RecordingListener;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what an application shows of an answer that was wrong. What is looked up, and
 * what follows, {@code bloom-guard-core} shows, and in each kind of method
 * {@code bloom-guard-spring}.
 */
@Tag("slow")
class VerifiedApplicationTests {

	private static final String VERIFICATION = "bloom-guard.filters.products.verification.";

	@Test
	void rowWrittenBehindTheGuardsBackIsAddedAndShownUntilItIsAcknowledged() {
		Rows rows = new Rows();
		RecordingListener listener = new RecordingListener();
		try (TestRedis redis = TestRedis.start().reset();
				GuardApplication application = GuardApplication.start(redis, List.of(rows, listener, Products.class),
						"management.endpoints.web.exposure.include=*", "management.endpoints.jmx.exposure.include=*",
						"spring.jmx.enabled=true", VERIFICATION + "mode=behind", VERIFICATION + "rate=1000",
						"bloom-guard.filters.products.false-positive-probability=0.000000001",
						"bloom-guard.timeout=2s")) {
			Products products = application.awaitReady().bean(Products.class);
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
			long id = -1;
			rows.inserted.add(id);
			assertThat(products.find(id)).isNull();
			Awaitility.await().until(() -> application.filter("products").preview(id).membership() == Membership.MAYBE);
			assertThat(products.find(id)).isEqualTo("product -1");
			Awaitility.await()
				.untilAsserted(() -> assertThat(listener.events()).containsOnlyOnce("products false negative"));
			assertThat(listener.events()).contains("products added 1");
			assertThat(health(application).getStatus()).isEqualTo(Status.UNKNOWN);
			assertThat(health(application).getDetails()).containsEntry("falseNegatives", Map.of("products", 1L))
				.containsKey("beforeUntil");
			BloomGuardEndpoint endpoint = application.bean(BloomGuardEndpoint.class);
			FilterReport report = endpoint.filter("products");
			assertThat(report.falseNegatives()).isOne();
			assertThat(report.verification().lookedUp()).isPositive();
			assertThat(report.verification().effectiveRate().newKeys()).isEqualTo(1000);
			assertThat(report.verification().effectiveRate().questionTime()).isPositive();
			assertThat(report.verification().wrong()).isPositive();
			Awaitility.await().until(() -> endpoint.filter("products").verification().lastWrongAt() != null);
			FilterReport.Verification verification = endpoint.filter("products").verification();
			assertThat(verification.beforeUntil()).isEqualTo(verification.lastWrongAt().plus(Duration.ofMinutes(10)));
			long counted = report.requests().falseNegative();
			assertThat(counted).isPositive();
			report = endpoint.change(SecurityContext.NONE, "products", null, "acknowledge", null);
			assertThat(report.falseNegatives()).isZero();
			assertThat(report.verification().beforeUntil()).isNull();
			assertThat(report.requests().falseNegative()).isEqualTo(counted);
			Awaitility.await().until(() -> health(application).getStatus() == Status.UP);
			assertThat(health(application).getDetails()).doesNotContainKey("falseNegatives");
			assertThat(endpoint.change(SecurityContext.NONE, "unknown", null, "acknowledge", null)).isNull();
		}
	}

	private static Health health(GuardApplication application) {
		return application.bean(BloomGuardHealthIndicator.class).health(true);
	}

	static class Rows implements KeySource {

		final Set<Long> inserted = ConcurrentHashMap.newKeySet();

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.concat(LongStream.rangeClosed(1, 1000).boxed(), this.inserted.stream());
		}

	}

	static class Products {

		private final Rows rows;

		Products(Rows rows) {
			this.rows = rows;
		}

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return this.rows.inserted.contains(id) ? "product " + id : null;
		}

	}

}
