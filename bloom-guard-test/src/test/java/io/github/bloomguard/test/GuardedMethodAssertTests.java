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

package io.github.bloomguard.test;

import java.util.List;

import io.github.bloomguard.interceptor.BloomGuardedAdvisor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static io.github.bloomguard.test.BloomGuardAssertions.assertThatMethod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link GuardedMethodAssert}.
 */
@SpringJUnitConfig(Catalogue.class)
@AutoConfigureBloomGuard
@TestPropertySource(
		properties = { "bloom-guard.filters.products.mode=enforce", "bloom-guard.filters.prices.mode=enforce" })
class GuardedMethodAssertTests {

	@Autowired
	private Catalogue catalogue;

	@Autowired
	private BloomGuardedAdvisor advisor;

	@Test
	void guardedMethodIsRecognized() {
		assertThatMethod(this.catalogue, "findById", long.class).isGuardedBy("products").withKey("#id");
		assertThatMethod(this.catalogue, "findByOnlyParameter", long.class).isGuardedBy("products").withKey("#id");
		assertThatMethod(this.catalogue, "findAllById", List.class).isGuardedBy("products").withKeys("#ids");
		assertThatMethod(this.catalogue, "price", long.class).isGuardedBy("prices").withKey("#p0");
	}

	@Test
	void guardedMethodOfAnInterfaceIsRecognized() {
		ProxyFactory factory = new ProxyFactory((Prices) (id) -> "price of " + id);
		factory.addAdvisor(this.advisor);
		assertThatMethod(factory.getProxy(), "price", long.class).isGuardedBy("prices").withKey("#p0");
	}

	@Test
	void guardBehindAnotherProxyIsRecognized() {
		ProxyFactory factory = new ProxyFactory(this.catalogue);
		factory.setProxyTargetClass(true);
		assertThatMethod(factory.getProxy(), "findById", long.class).isGuardedBy("products").withKey("#id");
	}

	@Test
	void methodThatIsNotGuardedIsRecognized() {
		assertThatMethod(this.catalogue, "findByName", String.class).isNotGuarded();
		assertThatMethod(this.catalogue, "create", long.class).isNotGuarded();
		assertThatFails(() -> assertThatMethod(this.catalogue, "findById", long.class).isNotGuarded(), "products");
		assertThatFails(() -> assertThatMethod(this.catalogue, "findByName", String.class).isGuardedBy("products"),
				"Catalogue.findByName", "is not guarded");
	}

	@Test
	void otherFilterAndOtherKeyAreTold() {
		assertThatFails(() -> assertThatMethod(this.catalogue, "findById", long.class).isGuardedBy("prices"),
				"'prices'", "[products]");
		assertThatFails(
				() -> assertThatMethod(this.catalogue, "findById", long.class).isGuardedBy("products").withKey("#name"),
				"'products'", "'#name'", "'#id'");
		assertThatFails(() -> assertThatMethod(this.catalogue, "findAllById", List.class).isGuardedBy("products")
			.withKeys("#id"), "'#ids'");
	}

	@Test
	void objectWithoutAProxyIsNotGuarded() {
		assertThatFails(() -> assertThatMethod(new Catalogue(), "findById", long.class).isGuardedBy("products"),
				"no proxy");
		assertThatMethod(new Catalogue(), "findById", long.class).isNotGuarded();
	}

	@Test
	void wrongUseIsTold() {
		assertThatIllegalArgumentException().isThrownBy(() -> assertThatMethod(this.catalogue, "find", long.class))
			.withMessageContaining("find[long]")
			.withMessageContaining("Catalogue");
		assertThatIllegalStateException()
			.isThrownBy(() -> assertThatMethod(this.catalogue, "findById", long.class).withKey("#id"));
	}

	private static void assertThatFails(ThrowingCallable assertion, String... message) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion)
			.satisfies((error) -> assertThat(error.getMessage()).contains(message));
	}

}
