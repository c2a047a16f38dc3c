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

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomRemove;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BloomRemove} methods.
 */
class BloomRemoveTests {

	@AutoClose
	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@Test
	void keyIsRemovedAfterTheMethod() {
		this.products.delete(7);
		assertThat(this.filter.removed()).containsExactly(7);
	}

	@Test
	void nothingIsRemovedIfTheMethodFailsOrTheConditionDoesNotHold() {
		assertThatIllegalStateException().isThrownBy(() -> this.products.fail(7));
		assertThat(this.products.deleteIfThere(0)).isFalse();
		assertThat(this.filter.removed()).isEmpty();
		assertThat(this.products.deleteIfThere(1)).isTrue();
		assertThat(this.filter.removed()).containsExactly(1);
	}

	@Test
	void eachOfManyKeysIsRemoved() {
		this.products.deleteAll(List.of(1, 2));
		this.products.deletePart("a", 2);
		assertThat(this.filter.removed()).containsExactly(1, 2, List.of("a", 2));
	}

	@Test
	void nothingIsRemovedForAResultThatIsNull() {
		this.products.deleteFound(null);
		assertThat(this.filter.removed()).isEmpty();
		this.products.deleteFound("ab");
		assertThat(this.filter.removed()).containsExactly(2);
	}

	@Test
	void methodMayAddAndRemove() {
		this.products.rename("old", "new");
		assertThat(this.filter.removed()).containsExactly("old");
		assertThat(this.filter.added()).containsExactly("new");
	}

	@Test
	void resultsThatComeLaterAreWaitedFor() {
		CompletableFuture<Integer> future = new CompletableFuture<>();
		CompletableFuture<Integer> answer = this.products.deleteLater(future);
		assertThat(this.filter.removed()).isEmpty();
		future.complete(3);
		answer.join();
		assertThat(this.filter.removed()).containsExactly(3);
		Mono<Integer> mono = this.products.deleteReactively(4);
		assertThat(this.filter.removed()).containsExactly(3);
		mono.block();
		this.products.deleteEach(5, 6).collectList().block();
		assertThat(this.filter.removed()).containsExactly(3, 4, 5, 6);
	}

	@Test
	void mistakeInTheAnnotationStopsTheStart() {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> GuardContext.of(Wrong.class))
			.withStackTraceContaining("@BloomRemove(filter = \"product\")")
			.withStackTraceContaining("bloom-guard.filters: ");
	}

	static class Products {

		@BloomRemove("products")
		void delete(int id) {
		}

		@BloomRemove("products")
		void fail(int id) {
			throw new IllegalStateException("on purpose");
		}

		@BloomRemove(filter = "products", condition = "#result")
		boolean deleteIfThere(int id) {
			return id > 0;
		}

		@BloomRemove(filter = "products", key = "#result.length()")
		@Nullable String deleteFound(@Nullable String name) {
			return name;
		}

		@BloomRemove(filter = "products", keys = "#p0")
		void deleteAll(List<Integer> ids) {
		}

		@BloomRemove(filter = "products", key = "{#p0, #p1}")
		void deletePart(String name, int number) {
		}

		@BloomRemove(filter = "products", key = "#p0")
		@BloomAdd(filter = "products", key = "#p1")
		void rename(String from, String to) {
		}

		@BloomRemove(filter = "products", key = "#result")
		CompletableFuture<Integer> deleteLater(CompletableFuture<Integer> id) {
			return id;
		}

		@BloomRemove("products")
		Mono<Integer> deleteReactively(int id) {
			return Mono.just(id);
		}

		@BloomRemove(filter = "products", key = "#result")
		Flux<Integer> deleteEach(Integer... ids) {
			return Flux.just(ids);
		}

	}

	static class Wrong {

		@BloomRemove("product")
		void delete(int id) {
		}

	}

}
