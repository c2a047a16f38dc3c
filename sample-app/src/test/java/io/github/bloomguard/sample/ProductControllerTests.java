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

package io.github.bloomguard.sample;

import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyCollection;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;

/**
 * Tests for {@link ProductController} and {@link RequestTrace}.
 */
@WebMvcTest(ProductController.class)
@Import(RequestTrace.class)
class ProductControllerTests {

	private static final Product UMBRELLA = new Product(7, "Umbrella", new BigDecimal("19.90"));

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private RequestTrace trace;

	@MockitoBean
	private ProductCatalogue catalogue;

	@Test
	void productIsServedByDatabaseIfItWasQueried() {
		given(this.catalogue.findById(7)).willAnswer((call) -> {
			this.trace.onVerdict("products", verdict(Membership.MAYBE, false));
			this.trace.reachedDatabase();
			return UMBRELLA;
		});
		assertThat(this.mvc.get().uri("/products/7")).hasStatusOk()
			.hasHeader(ServedBy.HEADER, "database")
			.bodyJson()
			.isStrictlyEqualTo("""
					{"id": 7, "name": "Umbrella", "price": 19.90}""");
	}

	@Test
	void productIsServedByCacheIfNobodyElseDidAnything() {
		given(this.catalogue.findById(7)).willReturn(UMBRELLA);
		assertThat(this.mvc.get().uri("/products/7")).hasStatusOk().hasHeader(ServedBy.HEADER, "cache");
	}

	@Test
	void absentProductIsServedByDatabaseIfItWasQueried() {
		given(this.catalogue.findById(7)).willAnswer((call) -> {
			this.trace.onVerdict("products", verdict(Membership.UNKNOWN, false));
			this.trace.reachedDatabase();
			return null;
		});
		assertThat(this.mvc.get().uri("/products/7")).hasStatus(HttpStatus.NOT_FOUND)
			.hasHeader(ServedBy.HEADER, "database");
	}

	@Test
	void absentProductIsServedByFilterIfItWasCertain() {
		given(this.catalogue.findById(7)).willAnswer((call) -> {
			this.trace.onVerdict("products", verdict(Membership.ABSENT, true));
			return null;
		});
		assertThat(this.mvc.get().uri("/products/7")).hasStatus(HttpStatus.NOT_FOUND)
			.hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
			.hasHeader(ServedBy.HEADER, "filter")
			.bodyJson()
			.extractingPath("detail")
			.isEqualTo("There is no product 7");
	}

	@Test
	void absentProductIsServedBySentinelIfTheGuardRemembersIt() {
		given(this.catalogue.findById(7)).willAnswer((call) -> {
			this.trace.onVerdict("products", verdict(Membership.MAYBE, true));
			return null;
		});
		assertThat(this.mvc.get().uri("/products/7")).hasStatus(HttpStatus.NOT_FOUND)
			.hasHeader(ServedBy.HEADER, "sentinel");
	}

	@Test
	void absentProductIsServedBySentinelIfTheCacheHoldsNull() {
		given(this.catalogue.findById(7)).willAnswer((call) -> {
			this.trace.onVerdict("products", verdict(Membership.MAYBE, false));
			return null;
		});
		assertThat(this.mvc.get().uri("/products/7")).hasStatus(HttpStatus.NOT_FOUND)
			.hasHeader(ServedBy.HEADER, "sentinel");
	}

	@Test
	void traceOfOneRequestIsNotSeenByTheNext() {
		given(this.catalogue.findById(anyLong())).willAnswer((call) -> {
			this.trace.reachedDatabase();
			return UMBRELLA;
		}).willReturn(UMBRELLA);
		assertThat(this.mvc.get().uri("/products/7")).hasHeader(ServedBy.HEADER, "database");
		assertThat(this.mvc.get().uri("/products/7")).hasHeader(ServedBy.HEADER, "cache");
	}

	@Test
	void whatHappensOutsideOfARequestIsNotTraced() {
		this.trace.onVerdict("products", verdict(Membership.ABSENT, true));
		this.trace.reachedDatabase();
		given(this.catalogue.findById(7)).willReturn(UMBRELLA);
		assertThat(this.mvc.get().uri("/products/7")).hasHeader(ServedBy.HEADER, "cache");
	}

	@Test
	void manyProductsAreServedByDatabaseIfAnyIdWasLeft() {
		given(this.catalogue.findAllById(anyCollection())).willAnswer((call) -> {
			this.trace.onVerdict("products", verdict(Membership.ABSENT, true));
			this.trace.reachedDatabase();
			return List.of(UMBRELLA);
		});
		assertThat(this.mvc.get().uri("/products?ids=7,8,7")).hasStatusOk()
			.hasHeader(ServedBy.HEADER, "database")
			.bodyJson()
			.isStrictlyEqualTo("""
					[{"id": 7, "name": "Umbrella", "price": 19.90}]""");
		then(this.catalogue).should().findAllById(new LinkedHashSet<>(List.of(7L, 8L)));
	}

	@Test
	void manyProductsAreServedByFilterIfNoIdWasLeft() {
		given(this.catalogue.findAllById(anyCollection())).willReturn(List.of());
		assertThat(this.mvc.get().uri("/products?ids=7,8")).hasStatusOk()
			.hasHeader(ServedBy.HEADER, "filter")
			.bodyJson()
			.isStrictlyEqualTo("[]");
	}

	@Test
	void newProductHasItsLocation() {
		given(this.catalogue.create(any())).willReturn(UMBRELLA);
		assertThat(this.mvc.post().uri("/products").contentType(MediaType.APPLICATION_JSON).content("""
				{"name": "Umbrella", "price": 19.90}""")).hasStatus(HttpStatus.CREATED)
			.hasHeader(HttpHeaders.LOCATION, "/products/7")
			.bodyJson()
			.isStrictlyEqualTo("""
					{"id": 7, "name": "Umbrella", "price": 19.90}""");
		then(this.catalogue).should().create(new NewProduct("Umbrella", new BigDecimal("19.90")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/products/abc", "/products/7.5", "/products/99999999999999999999", "/products",
			"/products?ids=1,x" })
	void requestThatIsNotMadeOfIdsIsBad(String uri) {
		assertThat(this.mvc.get().uri(uri)).hasStatus(HttpStatus.BAD_REQUEST)
			.hasContentType(MediaType.APPLICATION_PROBLEM_JSON);
		then(this.catalogue).shouldHaveNoInteractions();
	}

	@Test
	void tooManyIdsAreRefused() {
		String ids = LongStream.rangeClosed(1, ProductController.MAX_IDS + 1)
			.mapToObj(Long::toString)
			.collect(Collectors.joining(","));
		assertThat(this.mvc.get().uri("/products?ids={ids}", ids)).hasStatus(HttpStatus.BAD_REQUEST)
			.bodyJson()
			.extractingPath("detail")
			.isEqualTo("The request is not valid: ids must be 1 to 500 ids");
	}

	@Test
	void noIdsAreRefused() {
		assertThat(this.mvc.get().uri("/products?ids=")).hasStatus(HttpStatus.BAD_REQUEST)
			.bodyJson()
			.extractingPath("detail")
			.isEqualTo("The request is not valid: ids must be 1 to 500 ids");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"price": 1}                    | The product is not valid: name must not be blank
			{"name": " ", "price": 1}       | The product is not valid: name must not be blank
			{"name": "x"}                   | The product is not valid: price is missing
			{"name": "x", "price": -1}      | The product is not valid: price must not be negative
			{"name": "x", "price": 1.234}   | The product is not valid: price must have at most 10 digits before the \
			point and 2 after it
			{"name": "x", "price": "cheap"} | The body can't be read. A product in JSON is {"name": "Umbrella", \
			"price": 19.90}
			[                               | The body can't be read. A product in JSON is {"name": "Umbrella", \
			"price": 19.90}
			""")
	void badProductIsRefused(String body, String detail) {
		assertThat(this.mvc.post().uri("/products").contentType(MediaType.APPLICATION_JSON).content(body))
			.hasStatus(HttpStatus.BAD_REQUEST)
			.bodyJson()
			.extractingPath("detail")
			.isEqualTo(detail);
		then(this.catalogue).shouldHaveNoInteractions();
	}

	private static Verdict verdict(Membership membership, boolean answered) {
		return Stream.of(Verdict.values())
			.filter((verdict) -> verdict.membership() == membership && verdict.answered() == answered)
			.findFirst()
			.orElseThrow();
	}

}
