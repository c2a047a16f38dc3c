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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.VerifiedAnswer;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.common.Shortcut;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Answers requests of a route whose key exists nowhere, without forwarding them, in a
 * gateway on servlets. In YAML {@code BloomGuarded=products, {id}}, and in Java
 * {@code route("products").GET("/products/{id}", http()).filter(bloomGuarded("products",
 * "{id}"))}. Requests of other methods than GET and HEAD are forwarded. So is one whose
 * answer is to be verified: its response tells whether the filter is right.
 *
 * @since 1.0.0
 */
public final class BloomGuardedFilterFunctions {

	private BloomGuardedFilterFunctions() {
	}

	/**
	 * Return a filter that answers with the status 404, and a request for many keys with
	 * an empty list.
	 * @param filter its name, as configured under {@code bloom-guard.filters}
	 * @param key variables of the path in braces, such as {@code {id}}, or a query
	 * parameter with many keys, such as {@code {?ids}}
	 * @return the filter
	 */
	@Shortcut
	public static HandlerFilterFunction<ServerResponse, ServerResponse> bloomGuarded(String filter, String key) {
		return guard(filter, key, null, null);
	}

	/**
	 * Return a filter that answers with another status.
	 * @param filter its name, as configured under {@code bloom-guard.filters}
	 * @param key variables of the path in braces, such as {@code {id}}, or a query
	 * parameter with many keys, such as {@code {?ids}}
	 * @param status the number
	 * @return the filter
	 */
	@Shortcut
	public static HandlerFilterFunction<ServerResponse, ServerResponse> bloomGuarded(String filter, String key,
			int status) {
		return guard(filter, key, HttpStatusCode.valueOf(status), null);
	}

	/**
	 * Return a filter that answers with a status and a body.
	 * @param filter its name, as configured under {@code bloom-guard.filters}
	 * @param key variables of the path in braces, such as {@code {id}}, or a query
	 * parameter with many keys, such as {@code {?ids}}
	 * @param status the number
	 * @param body JSON or plain text, empty for none
	 * @return the filter
	 */
	@Shortcut
	public static HandlerFilterFunction<ServerResponse, ServerResponse> bloomGuarded(String filter, String key,
			int status, String body) {
		return guard(filter, key, HttpStatusCode.valueOf(status), body);
	}

	private static HandlerFilterFunction<ServerResponse, ServerResponse> guard(String filter, String key,
			@Nullable HttpStatusCode status, @Nullable String body) {
		return new Guard(filter, RouteGuard.of(KeyTemplate.of(filter, key), status, body),
				new AtomicReference<>())::filter;
	}

	private record Guard(String name, RouteGuard guard, AtomicReference<@Nullable GuardedFilter> found) {

		ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
			GuardedFilter filter = RouteGuard.reads(request.method()) ? find(request) : null;
			if (filter == null) {
				return next.handle(request);
			}
			String parameter = this.guard.key().parameter();
			return (parameter != null) ? many(filter, parameter, request, next) : one(filter, request, next);
		}

		private ServerResponse many(GuardedFilter filter, String parameter, ServerRequest request,
				HandlerFunction<ServerResponse> next) throws Exception {
			QueryBatch batch = QueryBatch.of(request.params().get(parameter));
			if (batch == null) {
				return next.handle(request);
			}
			Candidates candidates = batch.ask(filter).await();
			List<String> left = batch.thinned(candidates);
			if (left.isEmpty()) {
				return answered();
			}
			ServerRequest thinned = batch.isWhole(candidates) ? request
					: ServerRequest.from(request).params((params) -> params.put(parameter, left)).build();
			return forwarded(filter, null, candidates.verdict(), thinned, next);
		}

		private ServerResponse one(GuardedFilter filter, ServerRequest request, HandlerFunction<ServerResponse> next)
				throws Exception {
			String key = this.guard.key().expand(MvcUtils.getUriTemplateVariables(request));
			if (key == null) {
				return next.handle(request);
			}
			Decision verdict = filter.check(key).await();
			VerifiedAnswer verified = verdict.answered() ? filter.draw(key, verdict) : null;
			if (verified != null) {
				return verified(filter, key, verified, request, next);
			}
			return verdict.answered() ? answered() : forwarded(filter, key, verdict, request, next);
		}

		private @Nullable GuardedFilter find(ServerRequest request) {
			GuardedFilter found = this.found.get();
			if (found == null) {
				GuardedFilters filters = MvcUtils.getApplicationContext(request)
					.getBeanProvider(GuardedFilters.class)
					.getIfAvailable();
				found = (filters != null) ? filters.get(this.name) : null;
				this.found.set(found);
			}
			return found;
		}

		/**
		 * A request and its response belong to the thread of the server, so the request
		 * itself finds out. A filter that verifies before its answers leaves it to that
		 * anyway.
		 */
		private ServerResponse verified(GuardedFilter filter, String key, VerifiedAnswer verified,
				ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
			CompletableFuture<Boolean> outcome = new CompletableFuture<>();
			AtomicBoolean asked = new AtomicBoolean();
			verified.stands(() -> {
				asked.set(true);
				return outcome;
			}).future();
			try {
				ServerResponse response = next.handle(request);
				Boolean found = RouteOutcome.found(response.statusCode());
				if (found != null) {
					outcome.complete(found);
					if (!asked.get()) {
						filter.loaded(key, Decision.LET_THROUGH, !found, false);
					}
				}
				return response;
			}
			finally {
				outcome.completeExceptionally(new IllegalStateException("The response proves nothing"));
			}
		}

		private static ServerResponse forwarded(GuardedFilter filter, @Nullable String key, Decision verdict,
				ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
			GuardedCall call;
			try {
				call = RouteOutcome.begin(filter, key, verdict);
			}
			catch (LoadRejectedException ex) {
				return ServerResponse.status(HttpStatus.SERVICE_UNAVAILABLE).build();
			}
			try {
				ServerResponse response = next.handle(request);
				call.returned(response.statusCode());
				return response;
			}
			finally {
				call.end();
			}
		}

		private ServerResponse answered() {
			ServerResponse.BodyBuilder response = ServerResponse.status(this.guard.status());
			return this.guard.body().isEmpty() ? response.build()
					: response.contentType(this.guard.contentType()).body(this.guard.bytes());
		}

	}

}
