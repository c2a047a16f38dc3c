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

package io.github.bloomguard.interceptor;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.declaration.AnnotatedMethod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BloomGuarded} methods that are waited for.
 */
@ExtendWith(OutputCaptureExtension.class)
class BloomGuardedTests {

	private final GuardContext context = GuardContext.of(Products.class, Shop.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void absentKeyIsAnsweredWithoutCallingTheMethod() {
		this.filter.absent(7L);
		assertThat(this.products.find(7)).isNull();
		assertThat(this.products.calls()).isEmpty();
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void possibleKeyGoesThroughAndIsReportedAsFound() {
		assertThat(this.products.find(7)).isEqualTo("product 7");
		assertThat(this.filter.loaded()).containsExactly("7 MAYBE found");
	}

	@Test
	void possibleKeyThatIsNotFoundIsReportedAsEmpty() {
		assertThat(this.products.find(-1)).isNull();
		assertThat(this.filter.loaded()).containsExactly("-1 MAYBE empty");
	}

	@Test
	void shadowedAbsenceGoesThroughAndIsReported() {
		this.filter.absent(7L);
		this.filter.shadow();
		assertThat(this.products.find(7)).isEqualTo("product 7");
		assertThat(this.filter.loaded()).containsExactly("7 ABSENT found");
	}

	@Test
	void exceptionOfTheMethodPassesUnchangedAndIsNotReported() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.products.fail(7))
			.withMessage("no 7")
			.withNoCause();
		assertThat(this.filter.checked()).containsExactly(7L);
		assertThat(this.filter.loaded()).isEmpty();
		assertThat(this.filter.uncheckedCalls()).isZero();
	}

	@Test
	void nullKeyGoesThroughUnasked() {
		assertThat(this.products.findByName(null)).isEqualTo("product null");
		assertThat(this.filter.checked()).isEmpty();
		assertThat(this.filter.loaded()).isEmpty();
		assertThat(this.filter.uncheckedCalls()).isZero();
	}

	@Test
	void falseConditionGoesThroughUnasked() {
		this.filter.absent("a");
		assertThat(this.products.findUnless("a", true)).isEqualTo("product a");
		assertThat(this.filter.checked()).isEmpty();
		assertThat(this.products.findUnless("a", false)).isNull();
		assertThat(this.filter.checked()).containsExactly("a");
	}

	@Test
	void keyIsFoundByNameAndByPosition() {
		this.products.byName(1, 2);
		this.products.byP(1, 2);
		this.products.byA(1, 2);
		assertThat(this.filter.checked()).containsExactly(2L, 2L, 2L);
	}

	@Test
	void expressionHasTheVocabularyOfCacheable() {
		this.products.composite("a", 7);
		this.products.root(7);
		this.products.bean(7);
		this.products.property(List.of("x", "yy"));
		assertThat(this.filter.checked()).containsExactly(List.of("a", 7L), "root Products me 7 root", "shop 7",
				List.of(1, 2));
	}

	@Test
	void expressionThatFailsLetsTheCallThroughAndIsLoggedOnce(CapturedOutput output) {
		assertThat(this.products.failingKey("x")).isEqualTo("product x");
		assertThat(this.products.failingKey("y")).isEqualTo("product y");
		assertThat(this.filter.uncheckedCalls()).isEqualTo(2);
		assertThat(this.filter.checked()).isEmpty();
		assertThat(output).containsOnlyOnce("@BloomGuarded on BloomGuardedTests.Products.failingKey(String) failed")
			.contains("#name[99]")
			.contains("SpelEvaluationException");
	}

	@Test
	void conditionThatFailsLetsTheCallThrough() {
		this.filter.absent("x");
		assertThat(this.products.failingCondition("x")).isEqualTo("product x");
		assertThat(this.filter.uncheckedCalls()).isEqualTo(1);
	}

	@Test
	void unsupportedKeyLetsTheCallThroughAndIsLoggedOnce(CapturedOutput output) {
		assertThat(this.products.findByObject(RecordingFilter.UNSUPPORTED)).isEqualTo("product");
		assertThat(this.products.findByObject(RecordingFilter.UNSUPPORTED)).isEqualTo("product");
		assertThat(this.filter.uncheckedCalls()).isEqualTo(2);
		assertThat(output).containsOnlyOnce("has no canonical form: use");
	}

	@Test
	void callGoesThroughOnlyIfEachFilterLetsItPass() {
		RecordingFilter customers = this.context.filter("customers");
		assertThat(this.products.findOrder(1, 2)).isEqualTo("order");
		assertThat(this.filter.loaded()).containsExactly("2 MAYBE found");
		assertThat(customers.loaded()).containsExactly("1 MAYBE found");
		customers.absent(1L);
		assertThat(this.products.findOrder(1, 2)).isNull();
		assertThat(this.products.findOrder(3, 2)).isEqualTo("order");
		this.filter.absent(2L);
		assertThat(this.products.findOrder(3, 2)).isNull();
		assertThat(this.products.calls()).hasSize(2);
	}

	@Test
	void callThatAsksManyFiltersUsesNoSentinels() {
		this.products.findOrder(1, 2);
		assertThat(this.filter.ttls()).containsExactly(Duration.ZERO);
		assertThat(this.context.filter("customers").ttls()).containsExactly(Duration.ZERO);
	}

	@Test
	void emptyTtlIsTheFiltersUnlessTheAnnotationHasOne() {
		this.products.find(1);
		this.products.simpleTtl(1);
		this.products.isoTtl(1);
		this.products.placeholderTtl(1);
		this.products.noTtl(1);
		assertThat(this.filter.ttls()).containsExactly(null, Duration.ofSeconds(30), Duration.ofMinutes(2),
				Duration.ofSeconds(42), Duration.ZERO);
	}

	@Test
	void noTwoMethodsShareTheirSentinels() {
		try (GuardContext namesakes = GuardContext.of(Namesakes.class, Prices.class, Stocks.class)) {
			assertThat("findAa".hashCode()).isEqualTo("findBB".hashCode());
			namesakes.bean(Namesakes.class).findAa(1);
			namesakes.bean(Namesakes.class).findBB(1);
			namesakes.bean(Namesakes.class).findBB("1");
			namesakes.bean(Prices.class).find(1);
			namesakes.bean(Stocks.class).find(1);
			assertThat(namesakes.products().scopes()).hasSize(5).allMatch((scope) -> scope.matches("[0-9a-f]{32}"));
		}
	}

	@Test
	void methodHasTheSameSentinelsInEachInstance() {
		this.products.find(1);
		try (GuardContext other = GuardContext.of(Shop.class, Products.class)) {
			other.bean(Products.class).find(2);
			assertThat(other.products().scopes()).isEqualTo(this.filter.scopes()).hasSize(1);
		}
	}

	@Test
	void methodBehindAProxyIsNamedByItsInterfaces() throws Exception {
		Object repository = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Repository.class },
				(proxy, method, arguments) -> "product");
		AnnotatedMethod method = AnnotatedMethod.of(Finder.class.getMethod("find", long.class), repository.getClass());
		assertThat(method.identity()).contains(Repository.class.getName()).doesNotContain("$Proxy");
	}

	@Test
	void guardIsNotCreatedBeforeTheFirstCall() {
		try (GuardContext fresh = GuardContext.of(Products.class)) {
			assertThat(fresh.hasCreated("filters")).isFalse();
			fresh.bean(Products.class).find(1);
			assertThat(fresh.hasCreated("filters")).isTrue();
		}
	}

	static class Namesakes {

		@BloomGuarded("products")
		public String findAa(long id) {
			return "product";
		}

		@BloomGuarded("products")
		public String findBB(long id) {
			return "product";
		}

		@BloomGuarded("products")
		public String findBB(String id) {
			return "product";
		}

	}

	interface Finder {

		@BloomGuarded("products")
		default String find(long id) {
			return "product";
		}

	}

	interface Repository extends Finder {

	}

	static class Prices implements Finder {

	}

	static class Stocks implements Finder {

	}

	static class Shop {

		public String key(long id) {
			return "shop " + id;
		}

	}

	static class Products {

		private final List<Object> calls = new ArrayList<>();

		public List<Object> calls() {
			return this.calls;
		}

		public String getSelf() {
			return "me";
		}

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			this.calls.add(id);
			return (id < 0) ? null : "product " + id;
		}

		@BloomGuarded(filter = "products", key = "#id")
		public String fail(long id) throws IOException {
			throw new IOException("no " + id);
		}

		@BloomGuarded("products")
		public String findByName(@Nullable String name) {
			return "product " + name;
		}

		@BloomGuarded("products")
		public String findByObject(Object key) {
			return "product";
		}

		@BloomGuarded(filter = "products", key = "#name", condition = "!#force")
		public @Nullable String findUnless(String name, boolean force) {
			return "product " + name;
		}

		@BloomGuarded(filter = "products", key = "#second")
		public String byName(long first, long second) {
			return "product";
		}

		@BloomGuarded(filter = "products", key = "#p1")
		public String byP(long first, long second) {
			return "product";
		}

		@BloomGuarded(filter = "products", key = "#a1")
		public String byA(long first, long second) {
			return "product";
		}

		@BloomGuarded(filter = "products", key = "{#name, #id}")
		public String composite(String name, long id) {
			return "product";
		}

		@BloomGuarded(filter = "products", key = "#root.methodName + ' ' + #root.targetClass.simpleName + ' '"
				+ " + #root.target.self + ' ' + #root.args[0] + ' ' + #root.method.name")
		public String root(long id) {
			return "product";
		}

		@BloomGuarded(filter = "products", key = "@'bloomGuardedTests.Shop'.key(#id)")
		public String bean(long id) {
			return "product";
		}

		@BloomGuarded(filter = "products", key = "#names.![length()]")
		public String property(List<String> names) {
			return "product";
		}

		@BloomGuarded(filter = "products", key = "#name[99]")
		public String failingKey(String name) {
			return "product " + name;
		}

		@BloomGuarded(filter = "products", condition = "#name[99] == 'x'")
		public String failingCondition(String name) {
			return "product " + name;
		}

		@BloomGuarded(filter = "customers", key = "#customer")
		@BloomGuarded(filter = "products", key = "#product", emptyTtl = "10s")
		public @Nullable String findOrder(long customer, long product) {
			this.calls.add(customer);
			return "order";
		}

		@BloomGuarded(filter = "products", emptyTtl = "30s")
		public String simpleTtl(long id) {
			return "product";
		}

		@BloomGuarded(filter = "products", emptyTtl = "PT2M")
		public String isoTtl(long id) {
			return "product";
		}

		@BloomGuarded(filter = "products", emptyTtl = "${products.empty-ttl}")
		public String placeholderTtl(long id) {
			return "product";
		}

		@BloomGuarded(filter = "products", emptyTtl = "0s")
		public String noTtl(long id) {
			return "product";
		}

	}

}
