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

import io.github.bloomguard.InvalidGuardException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link UnknownProperties}.
 */
class UnknownPropertiesTests {

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	private final MockEnvironment environment = new MockEnvironment()
		.withProperty(PRODUCTS + "expected-insertions", "1000")
		.withProperty(PRODUCTS + "caches[0]", "products");

	private void assertRefused(String property, String remedy) {
		this.environment.setProperty(property, "5");
		ConfigurationPropertySources.attach(this.environment);
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> UnknownProperties.check(this.environment))
			.satisfies(
					(ex) -> assertThat(ex.getProblem()).startsWith("There is no property " + property + ", which is"))
			.satisfies((ex) -> assertThat(ex.getRemedy()).isEqualTo(remedy));
	}

	@Test
	void propertiesThatThereAreAreTaken() {
		ConfigurationPropertySources.attach(this.environment);
		assertThatNoException().isThrownBy(() -> UnknownProperties.check(this.environment));
	}

	@ParameterizedTest
	@CsvSource({ "bloom-guard.filters.products.rebuild.settel, bloom-guard.filters.products.rebuild.settle",
			"bloom-guard.filters.products.expectedInsertion, bloom-guard.filters.products.expected-insertions",
			"bloom-guard.filters.products.ttl, bloom-guard.filters.products.empty-ttl",
			"bloom-guard.filter.products.mode, bloom-guard.filters.products.mode",
			"bloom-guard.defaults.rebuild.settel, bloom-guard.defaults.rebuild.settle",
			"bloom-guard.rebuild.settle, bloom-guard.defaults.rebuild.settle",
			"bloom-guard.rebuild.settel, bloom-guard.defaults.rebuild.settle",
			"bloom-guard.cache.ttl, bloom-guard.cache.empty-ttl" })
	void propertyThatWasProbablyMeantIsNamed(String property, String meant) {
		assertRefused(property, "Did you mean " + meant + "?");
	}

	@Test
	void propertiesBelowTheNameAreToldWithTheirValues() {
		assertThat(remedy(PRODUCTS + "verification"))
			.startsWith("Set what you mean of those below it: " + PRODUCTS + "verification.")
			.contains(PRODUCTS + "verification.mode [behind, before, off], " + PRODUCTS + "verification.rate, ")
			.doesNotContain("bloom-guard.filters.products.warm-up");
	}

	@Test
	void someOfThePropertiesOfAFilterAreToldByItsName() {
		assertThat(remedy("bloom-guard.filters.orders"))
			.startsWith("Set what you mean of those below it: bloom-guard.filters.orders.")
			.contains("bloom-guard.filters.orders.expected-insertions, ")
			.endsWith(", and others");
	}

	@Test
	void aFilterWithoutANameIsShownWithAPlaceForIt() {
		assertThat(remedy("bloom-guard.filters")).contains(": bloom-guard.filters.<name>.type, ");
	}

	@Test
	void propertyThatIsLikeNoOtherIsToBeRemoved() {
		assertRefused("bloom-guard.wibble.wobble", "Remove it");
	}

	@ParameterizedTest
	@CsvSource({ "bloom-guard.filters.products.audit.sample-rate, Use bloom-guard.filters.products.verification.rate",
			"bloom-guard.cache.evict-wins, Remove it: an evict wins",
			"bloom-guard.cache.caches.products.evict-wins, Remove it: an evict wins" })
	void formerPropertyIsToldWhatIsWrittenInstead(String property, String remedy) {
		assertThat(remedy(property)).startsWith(remedy);
	}

	@Test
	void filterIsSpeltInOneWay() {
		this.environment.setProperty("bloom-guard.filters.Products.mode", "off");
		ConfigurationPropertySources.attach(this.environment);
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> UnknownProperties.check(this.environment))
			.withMessageContaining("which Spring Boot takes for the same")
			.satisfies((ex) -> assertThat(ex.getRemedy()).isEqualTo(
					"Spell it in one way, as annotations and beans do, or give one of the two filters another name"));
	}

	private String remedy(String property) {
		this.environment.setProperty(property, "5");
		ConfigurationPropertySources.attach(this.environment);
		return catchThrowableOfType(InvalidGuardException.class, () -> UnknownProperties.check(this.environment))
			.getRemedy();
	}

}
