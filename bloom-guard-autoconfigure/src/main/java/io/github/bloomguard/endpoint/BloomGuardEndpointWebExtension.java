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

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * Responds with 404 where there is no such filter; Spring Boot would respond with 204.
 */
@EndpointWebExtension(endpoint = BloomGuardEndpoint.class)
public class BloomGuardEndpointWebExtension {

	private static final String KEY = "key";

	private final BloomGuardEndpoint endpoint;

	public BloomGuardEndpointWebExtension(BloomGuardEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	@WriteOperation
	public WebEndpointResponse<FilterReport> rebuild(@Selector String filter) {
		return response(this.endpoint.rebuild(filter));
	}

	@DeleteOperation
	public WebEndpointResponse<FilterReport> acknowledgeFalseNegatives(@Selector String filter) {
		return response(this.endpoint.acknowledgeFalseNegatives(filter));
	}

	/**
	 * Return what would happen to a call for one key. It is a {@code POST} although it
	 * changes nothing: keys don't belong into addresses, which are logged, and read-only
	 * users must not ask.
	 * @param composite whether it has several parts, with commas between them
	 */
	@WriteOperation
	public WebEndpointResponse<KeyReport> preview(@Selector String filter, @Selector String question, String key,
			@Nullable Boolean composite) {
		return response(
				KEY.equals(question) ? this.endpoint.preview(filter, key, Boolean.TRUE.equals(composite)) : null);
	}

	private static <T> WebEndpointResponse<T> response(@Nullable T report) {
		return (report != null) ? new WebEndpointResponse<>(report)
				: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
