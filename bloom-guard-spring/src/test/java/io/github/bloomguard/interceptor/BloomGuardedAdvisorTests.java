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

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.GuardedFilters;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BloomGuardedAdvisor} and {@link KeyChangeAdvisor} without a context.
 */
class BloomGuardedAdvisorTests {

	private final AtomicInteger asked = new AtomicInteger();

	private final GuardContext.RecordingFilters filters = new GuardContext.RecordingFilters();

	private MethodAdviceSource source(Supplier<GuardedFilters> filters) {
		return source(filters, List.of("products"), false);
	}

	private MethodAdviceSource source(Supplier<GuardedFilters> filters, List<String> names, boolean ignoreUnknown) {
		return new MethodAdviceSource(new DefaultListableBeanFactory(), filters,
				() -> names.stream().collect(Collectors.toMap(Function.identity(), (name) -> "")), ignoreUnknown,
				() -> null, Runnable::run);
	}

	private Products proxy(Supplier<GuardedFilters> filters) {
		MethodAdviceSource source = source(filters);
		ProxyFactory factory = new ProxyFactory(new Products());
		factory.setProxyTargetClass(true);
		factory.addAdvisor(new BloomGuardedAdvisor(source));
		factory.addAdvisor(new KeyChangeAdvisor(source));
		return (Products) factory.getProxy();
	}

	@Test
	void filterIsAskedForOncePerOperation() {
		Products products = proxy(() -> {
			this.asked.incrementAndGet();
			return this.filters;
		});
		assertThat(this.asked).hasValue(0);
		products.find(1);
		products.find(2);
		assertThat(this.asked).hasValue(1);
		products.add(1);
		products.add(2);
		assertThat(this.asked).hasValue(2);
	}

	@Test
	void callGoesThroughIfThereIsNoFilterToAsk() {
		Products products = proxy(() -> {
			throw new IllegalStateException("no guard");
		});
		assertThat(products.find(1)).isEqualTo("product");
		assertThat(products.findAll(List.of(1L))).isEqualTo("products");
		assertThatIllegalStateException().isThrownBy(() -> products.add(1)).withMessage("no guard");
	}

	@Test
	void filtersThatATestHidesAreSaidToBeHidden() {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> source(() -> this.filters, List.of(), false).beans().haveAnnotatedMethods(Products.class))
			.satisfies((ex) -> assertThat(ex.getRemedy())
				.endsWith("or configure bloom-guard.filters.products; a test whose application.yml hides that of"
						+ " src/main needs @AutoConfigureBloomGuard, or bloom-guard.enabled=false"));
		assertThat(source(() -> this.filters, List.of(), true).beans().haveAnnotatedMethods(Products.class)).isFalse();
	}

	@Test
	void readsAreOutsideCachesAndAddsInsideTransactionsByDefault() {
		BloomGuardedAdvisor reads = new BloomGuardedAdvisor(source(() -> this.filters));
		assertThat(reads.getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE - 100);
		assertThat(new KeyChangeAdvisor(source(() -> this.filters)).getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE);
		reads.setOrder(3);
		assertThat(reads.getOrder()).isEqualTo(3);
	}

	static class Products {

		@BloomGuarded("products")
		public String find(long id) {
			return "product";
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public String findAll(List<Long> ids) {
			return "products";
		}

		@BloomAdd("products")
		public void add(long id) {
		}

	}

}
