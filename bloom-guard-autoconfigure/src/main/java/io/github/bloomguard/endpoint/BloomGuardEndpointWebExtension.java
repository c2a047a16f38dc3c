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

package io.github.bloomguard.endpoint;

import java.util.Map;
import java.util.function.Supplier;

import io.github.bloomguard.KeyNotAddedException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * Responds with 404 where there is no such filter, for which Spring Boot would respond
 * with 204, with 503 if Redis does not take a mode or a key, and says what is wrong with
 * a request.
 */
@EndpointWebExtension(endpoint = BloomGuardEndpoint.class)
public class BloomGuardEndpointWebExtension {

	private static final String KEY = "key";

	private final BloomGuardEndpoint endpoint;

	public BloomGuardEndpointWebExtension(BloomGuardEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	@WriteOperation
	@SuppressWarnings("deprecation") // Spring Boot 3.5 knows no other @Nullable
	public WebEndpointResponse<Object> switchAll(SecurityContext securityContext, String mode,
			@org.springframework.lang.Nullable String applications) {
		return answer("", () -> this.endpoint.switchAll(securityContext, mode, applications));
	}

	@WriteOperation
	public WebEndpointResponse<Object> rebuild(@Selector String filter) {
		return response(filter, this.endpoint.rebuild(filter));
	}

	@WriteOperation
	@SuppressWarnings("deprecation") // Spring Boot 3.5 knows no other @Nullable
	public WebEndpointResponse<Object> change(SecurityContext securityContext, @Selector String filter,
			@org.springframework.lang.Nullable String mode, @org.springframework.lang.Nullable String action,
			@org.springframework.lang.Nullable String applications) {
		return answer(filter, () -> this.endpoint.change(securityContext, filter, mode, action, applications));
	}

	/**
	 * Return what would happen to a call for one key. It is a {@code POST} although it
	 * changes nothing, unless told to: keys don't belong into addresses, which are
	 * logged, and read-only users must not ask.
	 * @param composite whether it has several parts, with commas between them
	 * @param add whether to add the key first
	 */
	@WriteOperation
	@SuppressWarnings("deprecation") // Spring Boot 3.5 knows no other @Nullable
	public WebEndpointResponse<Object> preview(@Selector String filter, @Selector String question, String key,
			@org.springframework.lang.Nullable Boolean composite, @org.springframework.lang.Nullable Boolean add) {
		return KEY.equals(question)
				? answer(filter,
						() -> this.endpoint.preview(filter, key, Boolean.TRUE.equals(composite),
								Boolean.TRUE.equals(add)))
				: failure(WebEndpointResponse.STATUS_NOT_FOUND, "There is no '" + question
						+ "' of a filter. POST to the filter's address and /key asks it about a key");
	}

	private static WebEndpointResponse<Object> answer(String filter, Supplier<@Nullable Object> change) {
		try {
			return response(filter, change.get());
		}
		catch (NotChangedException | KeyNotAddedException ex) {
			return failure(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, String.valueOf(ex.getMessage()));
		}
		catch (InvalidEndpointRequestException ex) {
			return failure(WebEndpointResponse.STATUS_BAD_REQUEST, ex.getMessage() + ". " + ex.getReason());
		}
	}

	static WebEndpointResponse<Object> failure(int status, String error) {
		return new WebEndpointResponse<>(Map.of("error", error), status);
	}

	private static WebEndpointResponse<Object> response(String filter, @Nullable Object report) {
		return (report != null) ? new WebEndpointResponse<>(report) : failure(WebEndpointResponse.STATUS_NOT_FOUND,
				"There is no filter '" + filter + "'. GET of the endpoint lists the filters that there are");
	}

}
