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

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.VerifiedAnswer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Asks a filter for the key of a request before that is forwarded.
 */
final class GuardedRouteFilter implements GatewayFilter {

	private final GuardedFilter filter;

	private final KeyTemplate key;

	private final HttpStatusCode status;

	private final @Nullable String body;

	GuardedRouteFilter(GuardedFilter filter, KeyTemplate key, HttpStatusCode status, @Nullable String body) {
		this.filter = filter;
		this.key = key;
		this.status = status;
		this.body = body;
	}

	KeyTemplate key() {
		return this.key;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		HttpMethod method = exchange.getRequest().getMethod();
		String key = (method == HttpMethod.GET || method == HttpMethod.HEAD)
				? this.key.expand(ServerWebExchangeUtils.getUriTemplateVariables(exchange)) : null;
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

	private Mono<Void> forwarded(ServerWebExchange exchange, GatewayFilterChain chain, String key, Decision verdict) {
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
		response.setStatusCode(this.status);
		if (this.body == null) {
			return response.setComplete();
		}
		boolean json = this.body.startsWith("{") || this.body.startsWith("[");
		response.getHeaders()
			.setContentType(
					json ? MediaType.APPLICATION_JSON : new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8));
		return response.writeWith(
				Mono.fromSupplier(() -> response.bufferFactory().wrap(this.body.getBytes(StandardCharsets.UTF_8))));
	}

}
