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

package io.github.bloomguard.result;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import feign.FeignException;
import feign.Request;
import feign.Request.HttpMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * What clients of HTTP throw if the answer has the status 404, and how it is made: none
 * of these exceptions has a constructor that takes a message alone.
 */
final class RemoteNotFound {

	private static final String OF_REST_CLIENT = "org.springframework.web.client.HttpClientErrorException$NotFound";

	private static final String OF_WEB_CLIENT = "org.springframework.web.reactive.function.client.WebClientResponseException$NotFound";

	private static final String OF_FEIGN = "feign.FeignException$NotFound";

	static final Set<String> TYPES = Set.of(OF_REST_CLIENT, OF_WEB_CLIENT, OF_FEIGN);

	/**
	 * What these clients throw for all else, which proves nothing.
	 */
	static final Set<String> OTHERS = Set.of("org.springframework.web.client.RestClientException",
			"org.springframework.web.reactive.function.client.WebClientException", "feign.FeignException");

	private RemoteNotFound() {
	}

	/**
	 * Return how an exception is made, {@code null} if its type is none of these.
	 */
	static @Nullable Supplier<RuntimeException> of(Class<?> type, String message) {
		return switch (type.getName()) {
			case OF_REST_CLIENT -> () -> OfRestClient.make(message);
			case OF_WEB_CLIENT -> () -> OfWebClient.make(message);
			case OF_FEIGN -> () -> OfFeign.make(message);
			default -> null;
		};
	}

	/**
	 * One class for each library, so that none needs another one.
	 */
	private static final class OfRestClient {

		static RuntimeException make(String message) {
			return HttpClientErrorException.create(HttpStatus.NOT_FOUND, message, new HttpHeaders(), new byte[0], null);
		}

	}

	private static final class OfWebClient {

		static RuntimeException make(String message) {
			return WebClientResponseException.create(HttpStatus.NOT_FOUND.value(), message, new HttpHeaders(),
					new byte[0], null);
		}

	}

	private static final class OfFeign {

		static RuntimeException make(String message) {
			Request none = Request.create(HttpMethod.GET, "", Map.of(), Request.Body.empty(), null);
			return new FeignException.NotFound(message, none, null, Map.of());
		}

	}

}
