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

package io.github.bloomguard.autoconfigure;

import java.time.Instant;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomRemove;
import io.github.bloomguard.call.FilterUser;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for the properties of a filter that another application owns.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReaderConfigurationTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(BloomGuardAutoConfigurationTests.ImportedByName.class)
		.withBean(RedissonClient.class, () -> redisson)
		.withPropertyValues("spring.application.name=orders", "bloom-guard.filters.products.owner=catalogue");

	@Test
	void filterWithAnOwnerNeedsNothingElse() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			ManagedFilter products = context.getBean(ManagedFilters.class).find("products");
			assertThat(products).isNotNull();
			assertThat(products.owner()).isEqualTo("catalogue");
		});
	}

	@Test
	void endpointTellsWhoseFilterItIsAndChangesNothingOfIt() {
		redis.reset();
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=*").run((context) -> {
			BloomGuardEndpoint endpoint = context.getBean(BloomGuardEndpoint.class);
			Awaitility.await()
				.untilAsserted(() -> assertThat(endpoint.filter("products")).isNotNull()
					.satisfies((report) -> assertThat(report.owner()).isEqualTo("catalogue"))
					.satisfies((report) -> assertThat(report.reason())
						.contains("waits for its owner, the application 'catalogue'")));
			assertThatThrownBy(() -> endpoint.rebuild("products")).isInstanceOf(InvalidEndpointRequestException.class)
				.hasMessageContaining("is that of the application 'catalogue'");
		});
	}

	@Test
	void endpointTellsHowOldTheCopyIs() {
		redis.reset();
		try (GuardApplication owner = GuardApplication.start(redis, new Keys("products", 10),
				"bloom-guard.application=catalogue")) {
			owner.awaitReady();
			this.runner.withPropertyValues("management.endpoints.web.exposure.include=*").run((context) -> {
				BloomGuardEndpoint endpoint = context.getBean(BloomGuardEndpoint.class);
				Awaitility.await()
					.untilAsserted(() -> assertThat(endpoint.filter("products").mirror().state())
						.isEqualTo(MirrorStatus.State.ANSWERING));
				Instant before = endpoint.filter("products").mirror().asOf();
				assertThat(before).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
				Awaitility.await()
					.untilAsserted(() -> assertThat(endpoint.filter("products").mirror().asOf()).isAfter(before));
				Awaitility.await()
					.untilAsserted(() -> assertThat(owner.products().filter().record().readers()).isOne());
			});
		}
	}

	@Test
	void defaultsOfOtherFiltersAreNoMistake() {
		this.runner
			.withPropertyValues("bloom-guard.defaults.warm-up.fetch-size=77", "bloom-guard.defaults.rebuild.settle=1m")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "table=product", "entity=com.acme.Product", "warm-up.query=select 1",
			"warm-up.blocking=true", "data-source=shop", "changes.enabled=true", "catch-up.query=select 1",
			"key-columns=id", "text=fold", "caches=products" })
	void propertyOfASourceStopsTheStart(String property) {
		String name = property.substring(0, property.indexOf('=')).replaceFirst("\\..*", "");
		this.runner.withPropertyValues("bloom-guard.filters.products." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidGuardException.class)
				.hasMessageContaining("bloom-guard.filters.products." + name + " is set")
				.hasMessageContaining("bloom-guard.filters.products.owner is 'catalogue'"));
	}

	@Test
	void ownApplicationIsNoOwner() {
		this.runner.withPropertyValues("bloom-guard.application=catalogue")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("owner is 'catalogue', which is the name of this application"));
	}

	@Test
	void filterInMemoryCannotBeThatOfAnotherApplication() {
		this.runner.withPropertyValues("bloom-guard.filters.products.type=memory")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("no other process sees such a filter"));
	}

	@Test
	void keySourceOfTheFilterStopsTheStart() {
		this.runner.withBean(Products.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("There is a KeySource bean of the filter 'products'"));
	}

	@Test
	void readerThatMayNotAddSaysSoAtTheStart(CapturedOutput output) {
		redis.command("ACL", "SETUSER", "asking", "on", ">secret", "~*", "&*", "+@all", "-xadd");
		start("asking", Writer.class);
		Awaitility.await()
			.untilAsserted(() -> assertThat(output)
				.containsOnlyOnce("@BloomAdd can't add keys to the filter 'products' of the application 'catalogue'")
				.contains("may not run xadd"));
		assertThat(output).containsOnlyOnce("@BloomRemove does nothing for the filter 'products': only its owner");
	}

	@Test
	void readerThatMayAddSaysNothing(CapturedOutput output) {
		redis.command("ACL", "SETUSER", "adding", "on", ">secret", "~*", "&*", "+@all");
		start("adding", Writer.class);
		assertThat(output).doesNotContain("@BloomAdd can't add");
	}

	@Test
	void filterOfAnApplicationWithAnotherUserOfFiltersNeedsNoMethod(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output).contains("No method is guarded by the filter 'products'"));
		int before = output.getAll().length();
		this.runner.withBean(FilterUser.class, () -> new FilterUser() {
		}).run((context) -> assertThat(output.getAll().substring(before)).doesNotContain("No method is guarded"));
	}

	/**
	 * Start an application and wait until it has found out what its user may do.
	 */
	private void start(String user, Class<?> writer) {
		RedissonClient client = RedissonClients.of(redis, (config) -> config.setUsername(user).setPassword("secret"));
		try {
			new ApplicationContextRunner().withUserConfiguration(BloomGuardAutoConfigurationTests.ImportedByName.class)
				.withBean(RedissonClient.class, () -> client)
				.withBean(writer)
				.withPropertyValues("spring.application.name=orders", "bloom-guard.filters.products.owner=catalogue")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					context.getBean(ManagedFilters.class)
						.find("products")
						.filter()
						.checkAdds()
						.handle((nothing, failure) -> null)
						.join();
				});
		}
		finally {
			client.shutdown();
		}
	}

	static class Writer {

		@BloomAdd(filter = "products", key = "#id")
		public void create(long id) {
		}

		@BloomRemove(filter = "products", key = "#id")
		public void delete(long id) {
		}

	}

	static class Products implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.empty();
		}

	}

}
