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

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.annotation.BloomAdd;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.expression.spel.SpelEvaluationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BloomAdd} methods that are waited for.
 */
class BloomAddTests {

	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void onlyParameterIsTheKey() {
		this.products.insert(7);
		assertThat(this.filter.added()).containsExactly(7L);
	}

	@Test
	void resultIsInTheExpression() {
		assertThat(this.products.create("a")).isEqualTo(new Product(1, "a"));
		assertThat(this.filter.added()).containsExactly(1L);
	}

	@Test
	void optionalResultIsUnwrapped() {
		assertThat(this.products.createOptionally("a")).contains(new Product(1, "a"));
		assertThat(this.filter.added()).containsExactly(1L);
		this.products.createOptionally("");
		assertThat(this.filter.added()).hasSize(1);
	}

	@Test
	void resultIsNotHiddenByAParameterOfThatName() {
		this.products.update("wrong", 1);
		assertThat(this.filter.added()).containsExactly("result 1");
	}

	@Test
	void failedMethodAddsNothing() {
		assertThatIllegalStateException().isThrownBy(() -> this.products.fail(7));
		assertThat(this.filter.added()).isEmpty();
	}

	@Test
	void falseConditionAddsNothing() {
		this.products.createIfNamed("");
		assertThat(this.filter.added()).isEmpty();
		this.products.createIfNamed("a");
		assertThat(this.filter.added()).containsExactly(1L);
	}

	@Test
	void keyThatIsNullFailsTheCall() {
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> this.products.insertByName(null));
		assertThatExceptionOfType(KeyNotAddedException.class)
			.isThrownBy(() -> this.products.insertEach(Arrays.asList("a", null)));
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> this.products.insertComposite(null, 7))
			.withMessageContaining("flush");
		assertThat(this.filter.added()).isEmpty();
	}

	@Test
	void resultThatIsNullAddsNothing() {
		assertThat(this.products.createIfNew(null)).isNull();
		assertThat(this.products.createIfNamed(null)).isNull();
		assertThat(this.products.createAll(null)).isNull();
		assertThat(this.filter.added()).isEmpty();
	}

	@Test
	void resultThatIsNullMaySayThatTheRowIsNew() {
		this.products.putIfAbsent("a", null);
		this.products.putIfAbsent("b", "before");
		assertThat(this.filter.added()).containsExactly("a");
	}

	@Test
	void eachElementOfKeysIsAKey() {
		this.products.createAll(List.of("a", "b"));
		assertThat(this.filter.added()).containsExactly(1L, 2L);
	}

	@Test
	void keysMayBeAParameter() {
		this.products.insertAll(3, 4);
		assertThat(this.filter.added()).containsExactly(3L, 4L);
	}

	@Test
	void eachElementOfKeysMayBeAKeyOfSeveralParts() {
		this.products.createAllComposite(List.of("a", "b"));
		assertThat(this.filter.added()).containsExactly(List.of(1L, "a"), List.of(2L, "b"));
	}

	@Test
	void keysThatAreNullFailTheCall() {
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> this.products.insertAll((long[]) null));
	}

	@Test
	void keyOfSeveralPartsIsOneKeyAndItsPartsAreNone() {
		this.products.insertComposite("a", 7);
		assertThat(this.filter.added()).containsExactly(List.of("a", 7L));
	}

	@Test
	void keyMayHaveMoreThanEightParts() {
		this.products.insertWide(1);
		assertThat(this.filter.added()).containsExactly(List.of(1, 2, 3, 4, 5, 6, 7, 8, 1L));
	}

	@Test
	void failureOfTheExpressionFailsTheCall() {
		assertThatExceptionOfType(SpelEvaluationException.class).isThrownBy(() -> this.products.failingKey("a"));
		assertThatExceptionOfType(SpelEvaluationException.class).isThrownBy(() -> this.products.failingCondition("a"));
	}

	@Test
	void failureToAddFailsTheCall() {
		this.filter.refuseAdds();
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> this.products.insert(7));
	}

	@Test
	void eachOfManyAnnotationsAdds() {
		this.products.order(1, 2);
		assertThat(this.filter.added()).containsExactly(1L);
		assertThat(this.context.filter("customers").added()).containsExactly(2L);
	}

	record Product(long id, String name) {
	}

	static class Products {

		@BloomAdd("products")
		public void insert(long id) {
		}

		@BloomAdd("products")
		public void insertByName(@Nullable String name) {
		}

		@BloomAdd(filter = "products", key = "{#name, #id}")
		public void insertComposite(@Nullable String name, long id) {
		}

		@BloomAdd("products")
		public void fail(long id) {
			throw new IllegalStateException();
		}

		@BloomAdd(filter = "products", key = "#result.id()")
		public Product create(String name) {
			return new Product(1, name);
		}

		@BloomAdd(filter = "products", key = "#result.id()")
		public Optional<Product> createOptionally(String name) {
			return name.isEmpty() ? Optional.empty() : Optional.of(new Product(1, name));
		}

		@BloomAdd(filter = "products", key = "'result ' + (#id > 0 ? #result.id() : 0)")
		public Product update(String result, long id) {
			return new Product(id, result);
		}

		@BloomAdd(filter = "products", key = "#result.id()", condition = "!#result.name().empty")
		public @Nullable Product createIfNamed(@Nullable String name) {
			return (name != null) ? new Product(1, name) : null;
		}

		@BloomAdd(filter = "products", key = "#result.id()")
		public @Nullable Product createIfNew(@Nullable String name) {
			return (name != null) ? new Product(1, name) : null;
		}

		@BloomAdd(filter = "products", key = "#name", condition = "#result == null")
		public @Nullable String putIfAbsent(String name, @Nullable String before) {
			return before;
		}

		@BloomAdd(filter = "products", keys = "#names")
		public void insertEach(List<@Nullable String> names) {
		}

		@BloomAdd(filter = "products", key = "{1, 2, 3, 4, 5, 6, 7, 8, #id}")
		public void insertWide(long id) {
		}

		@BloomAdd(filter = "products", keys = "#ids")
		public void insertAll(long @Nullable ... ids) {
		}

		@BloomAdd(filter = "products", keys = "#result.![{id(), name()}]")
		public @Nullable List<Product> createAllComposite(List<String> names) {
			return createAll(names);
		}

		@BloomAdd(filter = "products", keys = "#result.![id()]")
		public @Nullable List<Product> createAll(@Nullable List<String> names) {
			return (names == null) ? null : List.of(new Product(1, names.get(0)), new Product(2, names.get(1)));
		}

		@BloomAdd(filter = "products", key = "#name[99]")
		public void failingKey(String name) {
		}

		@BloomAdd(filter = "products", condition = "#name[99] == 'x'")
		public void failingCondition(String name) {
		}

		@BloomAdd(filter = "products", key = "#product")
		@BloomAdd(filter = "customers", key = "#customer")
		public void order(long product, long customer) {
		}

	}

}
