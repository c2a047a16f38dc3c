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

package io.github.bloomguard.backend.memory;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.endpoint.FilterReport;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.FilterStatistics.Source;
import io.github.bloomguard.testsupport.Keys;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications that keep a filter in memory, where there is no Redis.
 */
class MemoryFilterTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("bloom-guard.filters.products.type=memory",
				"bloom-guard.filters.products.expected-insertions=1000",
				"bloom-guard.filters.products.verification.required-calls=0",
				"bloom-guard.filters.products.verification.mode=off", "bloom-guard.filters.products.rebuild.settle=0s",
				"bloom-guard.timeout=10s", "management.endpoints.web.exposure.include=*",
				"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
		.withBean(Keys.class, () -> new Keys("products", 10))
		.withBean(Products.class);

	@Test
	void filterInMemoryGuardsWithoutRedis() {
		this.runner.run(MemoryFilterTests::assertThatItGuards);
	}

	@Test
	void filterInMemoryNeedsNoLibraryForRedis() {
		this.runner
			.withClassLoader(new FilteredClassLoader("org.redisson", "io.netty", "org.springframework.data.redis",
					"org.springframework.boot.data.redis", "io.lettuce", "redis.clients"))
			.run(MemoryFilterTests::assertThatItGuards);
	}

	private static void assertThatItGuards(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		awaitReady(context);
		Products products = context.getBean(Products.class);
		assertThat(products.find(7)).isEqualTo("product 7");
		int calls = products.calls();
		assertThat(products.find(-1)).isNull();
		assertThat(products.calls()).isEqualTo(calls);
		products.create(4711);
		assertThat(products.find(4711)).isEqualTo("product 4711");
		assertThat(context.getBean(BloomGuard.class).mightContain("products", 4712)).isFalse();
		FilterReport report = context.getBean(BloomGuardEndpoint.class).filter("products");
		assertThat(report.type()).isEqualTo("memory");
		assertThat(report.state()).isEqualTo(FilterState.READY);
		assertThat(report.estimatedInsertions()).isBetween(10L, 12L);
		assertThat(report.requests().absent()).isPositive();
		FilterStatistics statistics = context.getBean(ManagedFilters.class).find("products").statistics();
		assertThat(statistics.lookups(Source.MEMORY)).isPositive();
		assertThat(statistics.lookups(Source.REDIS) + statistics.lookups(Source.MIRROR)).isZero();
	}

	@Test
	void filterIsCompleteWithoutWaitingForTransactionsOfAnotherProcess() {
		this.runner.withPropertyValues("bloom-guard.filters.products.rebuild.longest-transaction=1h")
			.run(MemoryFilterTests::assertThatItGuards);
	}

	@Test
	void rebuiltFilterKeepsWhatWasAdded() {
		this.runner.run((context) -> {
			awaitReady(context);
			BloomGuard guard = context.getBean(BloomGuard.class);
			guard.add("products", 4711);
			String first = generation(context);
			guard.rebuild("products").get();
			Awaitility.await().until(() -> !first.equals(generation(context)));
			assertThat(guard.membership("products", 4711)).as("its transaction may be open")
				.isEqualTo(Membership.MAYBE);
			assertThat(guard.membership("products", 7)).isEqualTo(Membership.MAYBE);
			assertThat(guard.membership("products", -1)).isEqualTo(Membership.ABSENT);
		});
	}

	@Test
	void keyThatPassedAndWasNotFoundIsRememberedUntilItIsAdded() {
		this.runner.run((context) -> {
			awaitReady(context);
			GuardedFilter filter = context.getBean(GuardedFilters.class).get("products");
			filter.loaded(7, filter.check(7).await(), true, false);
			assertThat(filter.check(7).await()).isEqualTo(Decision.REMEMBERED);
			context.getBean(GuardedFilters.class).written("products").add(List.of(7));
			assertThat(filter.check(7).await().membership()).isEqualTo(Membership.MAYBE);
			assertThat(filter.check(7).await()).isNotEqualTo(Decision.REMEMBERED);
		});
	}

	@Test
	void filterProvesItselfBeforeItIsBelieved() {
		this.runner.withPropertyValues("bloom-guard.filters.products.verification.required-calls=3").run((context) -> {
			awaitLoaded(context);
			Products products = context.getBean(Products.class);
			products.find(1);
			LongStream.rangeClosed(1, 3).forEach((id) -> products.find(-id));
			awaitReady(context);
			int calls = products.calls();
			assertThat(products.find(-1)).isNull();
			assertThat(products.calls()).isEqualTo(calls).isEqualTo(4);
		});
	}

	@Test
	void filterThatWasWrongIsRefutedUntilItIsAcknowledged() {
		this.runner.withPropertyValues("bloom-guard.filters.products.verification.required-calls=100")
			.run((context) -> {
				awaitLoaded(context);
				GuardedFilter filter = context.getBean(GuardedFilters.class).get("products");
				filter.loaded(-1, filter.check(-1).await(), false, false);
				awaitState(context, FilterState.REFUTED);
				context.getBean(BloomGuardEndpoint.class)
					.change(SecurityContext.NONE, "products", null, "acknowledge", null);
				awaitState(context, FilterState.PROVING);
			});
	}

	@Test
	void redisThatDoesNotAnswerDoesNotSilenceAFilterInMemory() {
		this.runner
			.withPropertyValues("bloom-guard.filters.shared.expected-insertions=1000", "bloom-guard.timeout=100ms",
					"spring.data.redis.port=1")
			.withBean("shared", Keys.class, () -> new Keys("shared", 10))
			.run((context) -> {
				awaitReady(context);
				Awaitility.await()
					.until(() -> context.getBean(ManagedFilters.class)
						.find("shared")
						.filter()
						.state() == FilterState.UNREACHABLE);
				assertThat(context.getBean(BloomGuard.class).membership("products", 7)).isEqualTo(Membership.MAYBE);
				awaitState(context, FilterState.READY);
			});
	}

	@Test
	void replicasStopTheStart() {
		this.runner.withPropertyValues("bloom-guard.filters.products.add-replicas=1")
			.run((context) -> assertThat(context).getFailure().rootCause().isInstanceOf(InvalidGuardException.class));
	}

	private static String generation(ApplicationContext context) {
		return context.getBean(BloomGuardEndpoint.class).filter("products").generation();
	}

	private static void awaitLoaded(ApplicationContext context) {
		Awaitility.await()
			.until(() -> context.getBean(ManagedFilters.class).find("products").filter().active() != null);
	}

	private static void awaitReady(ApplicationContext context) {
		awaitState(context, FilterState.READY);
	}

	private static void awaitState(ApplicationContext context, FilterState state) {
		Awaitility.await()
			.until(() -> context.getBean(ManagedFilters.class).find("products").filter().state() == state);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	public static class Products {

		private final AtomicInteger calls = new AtomicInteger();

		public int calls() {
			return this.calls.get();
		}

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			this.calls.incrementAndGet();
			return (id > 0) ? "product " + id : null;
		}

		@BloomAdd("products")
		public void create(long id) {
		}

	}

}
