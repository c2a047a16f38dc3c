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

package io.github.bloomguard.gateway;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.VerifiedAnswer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * Asks a filter for the key of a request before that is forwarded.
 */
final class GuardedRouteFilter implements GatewayFilter {

	private final GuardedFilter filter;

	private final RouteGuard guard;

	GuardedRouteFilter(GuardedFilter filter, RouteGuard guard) {
		this.filter = filter;
		this.guard = guard;
	}

	KeyTemplate key() {
		return this.guard.key();
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		if (!RouteGuard.reads(exchange.getRequest().getMethod())) {
			return chain.filter(exchange);
		}
		String parameter = key().parameter();
		return (parameter != null) ? many(exchange, chain, parameter) : one(exchange, chain);
	}

	private Mono<Void> many(ServerWebExchange exchange, GatewayFilterChain chain, String parameter) {
		QueryBatch batch = QueryBatch.of(exchange.getRequest().getQueryParams().get(parameter));
		if (batch == null) {
			return chain.filter(exchange);
		}
		Answer<Candidates> asked = batch.ask(this.filter);
		Candidates known = asked.known();
		return (known != null) ? thinned(exchange, chain, batch, known)
				: following(asked).flatMap((candidates) -> thinned(exchange, chain, batch, candidates));
	}

	private Mono<Void> thinned(ServerWebExchange exchange, GatewayFilterChain chain, QueryBatch batch,
			Candidates candidates) {
		List<String> left = batch.thinned(candidates);
		if (left.isEmpty()) {
			return answered(exchange);
		}
		ServerWebExchange thinned = batch.isWhole(candidates) ? exchange
				: exchange.mutate()
					.request((request) -> request.uri(with(exchange.getRequest().getURI(), left)))
					.build();
		return forwarded(thinned, chain, null, candidates.verdict());
	}

	/**
	 * Commas stay as they are.
	 */
	private URI with(URI uri, List<String> values) {
		Object[] encoded = values.stream()
			.map((value) -> UriUtils.encode(value, StandardCharsets.UTF_8).replace("%2C", ","))
			.toArray();
		return UriComponentsBuilder.fromUri(uri)
			.replaceQueryParam(Objects.requireNonNull(key().parameter()), encoded)
			.build(true)
			.toUri();
	}

	private Mono<Void> one(ServerWebExchange exchange, GatewayFilterChain chain) {
		String key = key().expand(ServerWebExchangeUtils.getUriTemplateVariables(exchange));
		if (key == null) {
			return chain.filter(exchange);
		}
		Answer<Decision> asked = this.filter.check(key);
		Decision known = asked.known();
		return (known != null) ? decided(exchange, chain, key, known)
				: following(asked).flatMap((verdict) -> decided(exchange, chain, key, verdict));
	}

	private Mono<Void> decided(ServerWebExchange exchange, GatewayFilterChain chain, String key, Decision verdict) {
		if (!verdict.answered()) {
			return forwarded(exchange, chain, key, verdict);
		}
		VerifiedAnswer verified = this.filter.draw(key, verdict);
		if (verified == null) {
			return answered(exchange);
		}
		BehindAnswer call = new BehindAnswer(exchange, chain);
		return following(verified.stands(call::make))
			.flatMap((stands) -> stands ? answered(exchange) : forwarded(exchange, chain, key, Decision.LET_THROUGH));
	}

	/**
	 * What others share is not cancelled with a request.
	 */
	private static <T> Mono<T> following(Answer<T> answer) {
		CompletableFuture<T> future = answer.future();
		return Mono.fromFuture(future, true);
	}

	private Mono<Void> forwarded(ServerWebExchange exchange, GatewayFilterChain chain, @Nullable String key,
			Decision verdict) {
		return Mono
			.using(() -> RouteOutcome.begin(this.filter, key, verdict),
					(call) -> chain.filter(exchange)
						.doOnSuccess((nothing) -> call.returned(exchange.getResponse().getStatusCode())),
					GuardedCall::end)
			.onErrorResume(LoadRejectedException.class, (ex) -> {
				exchange.getResponse().setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
				return exchange.getResponse().setComplete();
			});
	}

	private Mono<Void> answered(ServerWebExchange exchange) {
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(this.guard.status());
		if (this.guard.body().isEmpty()) {
			return response.setComplete();
		}
		response.getHeaders().setContentType(this.guard.contentType());
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(this.guard.bytes())));
	}

}
