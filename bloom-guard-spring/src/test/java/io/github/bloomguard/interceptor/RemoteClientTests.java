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

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import feign.Feign;
import feign.FeignException;
import feign.Param;
import feign.RequestLine;
import feign.Response;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for guarded methods of clients: what another application answers with 404 is not
 * there, and any other failure proves nothing. There are no rows below zero, and the
 * other application is ill for ids from 500 on.
 */
class RemoteClientTests {

	private final GuardContext context = GuardContext.of(Clients.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.context.close();
	}

	@ParameterizedTest
	@EnumSource
	void absentKeyIsAnsweredWithoutACall(Kind kind) {
		this.filter.absent(7L);
		assertThat(kind.find(this.context, 7)).isNull();
		assertThat(this.filter.loaded()).isEmpty();
		assertThat(kind.find(this.context, 8)).isEqualTo("product 8");
	}

	@ParameterizedTest
	@EnumSource
	void callForAnAbsentKeyThatEndsWith404HasFoundNothing(Kind kind) {
		this.filter.absent(-1L);
		this.filter.shadow();
		assertThatThrownBy(() -> kind.find(this.context, -1)).isInstanceOf(kind.notFound);
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty");
	}

	@ParameterizedTest
	@EnumSource
	void otherFailureProvesNothing(Kind kind) {
		this.filter.absent(500L);
		this.filter.shadow();
		assertThatThrownBy(() -> kind.find(this.context, 500)).isNotInstanceOf(kind.notFound);
		assertThat(this.filter.loaded()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void callBehindAnAnswerThatEndsWith404ConfirmsIt(Kind kind) {
		this.filter.absent(-1L, 500L);
		this.filter.verifyAll();
		assertThat(kind.find(this.context, -1)).isNull();
		assertThat(kind.find(this.context, 500)).isNull();
		assertThat(this.filter.verified()).first().asString().isEqualTo("-1 false");
	}

	@ParameterizedTest
	@EnumSource
	void whatCallsThrowForSeveralKeysIsWhatAnAbsentKeyThrows(Kind kind) {
		this.filter.absent(-1L, -2L, -3L, -4L);
		this.filter.shadow();
		for (long id = -1; id >= -3; id--) {
			long key = id;
			assertThatThrownBy(() -> kind.find(this.context, key)).isInstanceOf(kind.notFound);
		}
		this.filter.enforce();
		assertThatThrownBy(() -> kind.find(this.context, -4)).isInstanceOf(kind.notFound)
			.hasMessageContaining("Not found (filter 'products')");
		assertThat(this.filter.loaded()).hasSize(3);
	}

	@Test
	void exceptionOfAClientMayBeNamed() {
		this.filter.absent(7L);
		assertThatThrownBy(() -> this.context.bean(Products.class).require(7))
			.isInstanceOf(HttpClientErrorException.NotFound.class)
			.hasMessageContaining("Not found (filter 'products')");
	}

	@Test
	void responseWithStatus404IsNothing() {
		this.filter.absent(-1L, 500L);
		this.filter.shadow();
		Responses responses = this.context.bean(Responses.class);
		assertThat(responses.find(-1).getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND);
		assertThat(responses.find(500).getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty");
	}

	@Test
	void absentKeyIsAnsweredByAResponseWithStatus404() {
		this.filter.absent(7L);
		Responses responses = this.context.bean(Responses.class);
		assertThat(responses.find(7).getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND);
		assertThat(responses.later(7).blockOptional())
			.hasValueSatisfying((response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND));
		assertThat(this.filter.loaded()).isEmpty();
		assertThat(responses.find(8).getBody()).isEqualTo("product 8");
	}

	enum Kind {

		REST_CLIENT(HttpClientErrorException.NotFound.class) {

			@Override
			@Nullable String find(GuardContext context, long id) {
				return context.bean(Products.class).find(id);
			}

		},

		WEB_CLIENT(WebClientResponseException.NotFound.class) {

			@Override
			@Nullable String find(GuardContext context, long id) {
				return context.bean(ReactiveProducts.class).find(id).block();
			}

		},

		FEIGN(FeignException.NotFound.class) {

			@Override
			@Nullable String find(GuardContext context, long id) {
				return context.bean(FeignProducts.class).find(id);
			}

		};

		private final Class<?> notFound;

		Kind(Class<?> notFound) {
			this.notFound = notFound;
		}

		abstract @Nullable String find(GuardContext context, long id);

	}

	@HttpExchange("/products")
	interface Products {

		@GetExchange("/{id}")
		@BloomGuarded("products")
		@Nullable String find(@PathVariable long id);

		@GetExchange("/{id}")
		@BloomGuarded(filter = "products", missing = HttpClientErrorException.NotFound.class)
		String require(@PathVariable long id);

	}

	@HttpExchange("/products")
	interface ReactiveProducts {

		@GetExchange("/{id}")
		@BloomGuarded("products")
		Mono<String> find(@PathVariable long id);

	}

	interface FeignProducts {

		@RequestLine("GET /products/{id}")
		@BloomGuarded("products")
		@Nullable String find(@Param("id") long id);

	}

	static class Responses {

		@BloomGuarded("products")
		public ResponseEntity<String> find(long id) {
			return ResponseEntity.status(status(id)).body("product " + id);
		}

		@BloomGuarded("products")
		public Mono<ResponseEntity<String>> later(long id) {
			return Mono.fromSupplier(() -> find(id));
		}

	}

	private static HttpStatus status(long id) {
		return (id < 0) ? HttpStatus.NOT_FOUND : (id >= 500) ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.OK;
	}

	private static long id(URI uri) {
		return Long.parseLong(uri.getPath().substring(uri.getPath().lastIndexOf('/') + 1));
	}

	@Configuration(proxyBeanMethods = false)
	static class Clients {

		@Bean
		Products products() {
			RestClient client = RestClient.builder().baseUrl("http://shop").requestFactory(Clients::request).build();
			return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
				.build()
				.createClient(Products.class);
		}

		private static ClientHttpRequest request(URI uri, HttpMethod method) {
			return new MockClientHttpRequest(method, uri) {

				@Override
				protected ClientHttpResponse executeInternal() {
					byte[] body = ("product " + id(uri)).getBytes(StandardCharsets.UTF_8);
					return new MockClientHttpResponse(body, (HttpStatusCode) status(id(uri)));
				}

			};
		}

		@Bean
		ReactiveProducts reactiveProducts() {
			WebClient client = WebClient.builder()
				.baseUrl("http://shop")
				.exchangeFunction((request) -> Mono.fromSupplier(() -> ClientResponse.create(status(id(request.url())))
					.body("product " + id(request.url()))
					.build()))
				.build();
			return HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))
				.build()
				.createClient(ReactiveProducts.class);
		}

		@Bean
		FeignProducts feignProducts() {
			return Feign.builder().client((request, options) -> {
				long id = id(URI.create(request.url()));
				return Response.builder()
					.request(request)
					.status(status(id).value())
					.headers(Map.of())
					.body("product " + id, StandardCharsets.UTF_8)
					.build();
			}).target(FeignProducts.class, "http://shop");
		}

		@Bean
		Responses responses() {
			return new Responses();
		}

	}

}
