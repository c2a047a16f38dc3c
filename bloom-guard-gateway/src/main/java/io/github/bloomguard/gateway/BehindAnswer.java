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

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

/**
 * Forwards a request whose client is answered already, to find out whether the answer is
 * true. It has attributes and a response of its own, which are dropped.
 *
 * @param exchange of the client
 * @param chain what comes after the filter in the route
 */
record BehindAnswer(ServerWebExchange exchange, GatewayFilterChain chain) {

	/**
	 * Forward the request without waiting.
	 * @return whether there is such a row; exceptionally if the answer proves nothing
	 */
	CompletableFuture<Boolean> make() {
		Unseen unseen = new Unseen(this.exchange);
		return this.chain.filter(unseen)
			.then(Mono.fromSupplier(() -> found(unseen)))
			.doFinally((signal) -> unseen.close())
			.toFuture();
	}

	private static Boolean found(Unseen unseen) {
		Boolean found = RouteOutcome.found(unseen.getResponse().getStatusCode());
		if (found == null) {
			throw new IllegalStateException(
					"The request was answered with the status " + unseen.getResponse().getStatusCode());
		}
		return found;
	}

	private static final class Unseen extends ServerWebExchangeDecorator {

		private final Map<String, Object> attributes;

		private final ServerHttpRequest request;

		private final ServerHttpResponse response;

		Unseen(ServerWebExchange exchange) {
			super(exchange);
			this.attributes = new ConcurrentHashMap<>(exchange.getAttributes());
			this.response = new UnseenResponse(exchange.getResponse().bufferFactory());
			this.request = new ServerHttpRequestDecorator(exchange.getRequest()) {

				@Override
				public Flux<DataBuffer> getBody() {
					return Flux.empty();
				}

			};
		}

		@Override
		public Map<String, Object> getAttributes() {
			return this.attributes;
		}

		@Override
		public ServerHttpRequest getRequest() {
			return this.request;
		}

		@Override
		public ServerHttpResponse getResponse() {
			return this.response;
		}

		/**
		 * The gateway writes bodies to its client before the filter in the chain, so this
		 * one was not read.
		 */
		void close() {
			if (this.attributes
				.get(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR) instanceof Disposable connection) {
				connection.dispose();
			}
		}

	}

	private static final class UnseenResponse extends AbstractServerHttpResponse {

		UnseenResponse(DataBufferFactory buffers) {
			super(buffers);
		}

		@Override
		public <T> T getNativeResponse() {
			throw new IllegalStateException("There is no connection to a client");
		}

		@Override
		protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
			return Flux.from(body).doOnNext(DataBufferUtils::release).then();
		}

		@Override
		protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
			return Flux.from(body).concatMap(this::writeWithInternal).then();
		}

		@Override
		protected void applyStatusCode() {
		}

		@Override
		protected void applyHeaders() {
		}

		@Override
		protected void applyCookies() {
		}

	}

}
