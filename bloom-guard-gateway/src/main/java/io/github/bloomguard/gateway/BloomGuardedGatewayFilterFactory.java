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

import java.util.List;

import io.github.bloomguard.call.FilterUser;
import io.github.bloomguard.call.GuardedFilters;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.http.HttpStatusCode;

/**
 * Answers requests of a route whose key exists nowhere, without forwarding them. In YAML:
 * <pre class="code">
 * predicates: Path=/products/{id}
 * filters: BloomGuarded=products, {id}
 * </pre> and in Java: <pre class="code">
 * routes.route("products", (route) -&gt; route.path("/products/{id}")
 *   .filters((filters) -&gt; filters.filter(bloomGuarded.apply((config) -&gt; config.setFilter("products").setKey("{id}"))))
 *   .uri("lb://catalogue"))
 * </pre> Requests of other methods than GET and HEAD are forwarded.
 *
 * @since 1.0.0
 */
public final class BloomGuardedGatewayFilterFactory
		extends AbstractGatewayFilterFactory<BloomGuardedGatewayFilterFactory.Config> implements FilterUser {

	private final ObjectProvider<GuardedFilters> filters;

	/**
	 * Create a factory.
	 * @param filters asked when routes are made; without one, all requests are forwarded
	 */
	public BloomGuardedGatewayFilterFactory(ObjectProvider<GuardedFilters> filters) {
		super(Config.class);
		this.filters = filters;
	}

	@Override
	public List<String> shortcutFieldOrder() {
		return List.of("filter", "key", "status", "body");
	}

	/**
	 * Return the filter of a route.
	 * @param config names the filter and the key
	 * @return the filter
	 * @throws io.github.bloomguard.UnknownFilterException if there is none of that name
	 */
	@Override
	public GatewayFilter apply(Config config) {
		KeyTemplate key = KeyTemplate.of(config.filter, config.key);
		GuardedFilters filters = this.filters.getIfAvailable();
		String name = String.valueOf(config.filter);
		return (filters != null)
				? new GuardedRouteFilter(filters.get(name), RouteGuard.of(key, config.status, config.body))
				: (exchange, chain) -> chain.filter(exchange);
	}

	/**
	 * What a route says of its filter.
	 */
	public static final class Config {

		private @Nullable String filter;

		private @Nullable String key;

		private @Nullable HttpStatusCode status;

		private @Nullable String body;

		/**
		 * Set the name of the filter.
		 * @param filter as configured under {@code bloom-guard.filters}
		 * @return this
		 */
		public Config setFilter(String filter) {
			this.filter = filter;
			return this;
		}

		/**
		 * Set the key.
		 * @param key variables of the path in braces, such as {@code {id}}, or a query
		 * parameter with many keys, such as {@code {?ids}}
		 * @return this
		 */
		public Config setKey(String key) {
			this.key = key;
			return this;
		}

		/**
		 * Set the status of the answer for a key that exists nowhere; by default 404, and
		 * 200 with an empty list for a request for many keys.
		 * @param status the number
		 * @return this
		 */
		public Config setStatus(int status) {
			this.status = HttpStatusCode.valueOf(status);
			return this;
		}

		/**
		 * Set the body of that answer, JSON or plain text; none by default.
		 * @param body the text
		 * @return this
		 */
		public Config setBody(String body) {
			this.body = body;
			return this;
		}

	}

}
