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
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code Pages}, by calls of guarded methods.
 */
class EmptyPageTests {

	private static final Pageable SECOND = PageRequest.of(1, 20, Sort.by("name"));

	private final GuardContext context = GuardContext.of(Orders.class);

	private final Orders orders = this.context.bean(Orders.class);

	EmptyPageTests() {
		this.context.products().absent(7L);
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void pageIsEmptyAndThatWhichWasAskedFor() {
		for (Page<String> page : List.of(this.orders.page(7, SECOND), this.orders.later(7, SECOND).join())) {
			assertThat(page).isEmpty();
			assertThat(page.getPageable()).isEqualTo(SECOND);
			assertThat(page.getTotalElements()).isZero();
			assertThat(page.getTotalPages()).isZero();
			assertThat(page.hasNext()).isFalse();
		}
	}

	@Test
	void sliceIsEmptyAndTheLastOne() {
		Slice<String> slice = this.orders.slice(7, SECOND);
		assertThat(slice).isEmpty();
		assertThat(slice.getPageable()).isEqualTo(SECOND);
		assertThat(slice.hasNext()).isFalse();
		assertThat(slice).isNotInstanceOf(Page.class);
	}

	@Test
	void pageIsUnpagedIfNoneWasAskedFor() {
		assertThat(this.orders.page(7, null).getPageable()).isEqualTo(Pageable.unpaged());
		assertThat(this.orders.all(7).getPageable()).isEqualTo(Pageable.unpaged());
		assertThat(this.orders.all(7).getTotalElements()).isZero();
	}

	@Test
	void windowIsEmptyAndTheLastOne() {
		Window<String> window = this.orders.window(7, ScrollPosition.offset());
		assertThat(window).isEmpty();
		assertThat(window.hasNext()).isFalse();
	}

	static class Orders {

		@BloomGuarded(filter = "products", key = "#customer")
		public Page<String> page(long customer, @Nullable Pageable pageable) {
			throw new UnsupportedOperationException();
		}

		@BloomGuarded(filter = "products", key = "#customer")
		public CompletableFuture<Page<String>> later(long customer, Pageable pageable) {
			throw new UnsupportedOperationException();
		}

		@BloomGuarded(filter = "products", key = "#customer")
		public Slice<String> slice(long customer, Pageable pageable) {
			throw new UnsupportedOperationException();
		}

		@BloomGuarded("products")
		public Page<String> all(long customer) {
			throw new UnsupportedOperationException();
		}

		@BloomGuarded(filter = "products", key = "#customer")
		public Window<String> window(long customer, ScrollPosition position) {
			throw new UnsupportedOperationException();
		}

	}

}
