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

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/**
 * What a route asks its filter for, and how it answers what exists nowhere.
 *
 * @param key makes the key, or names the parameter of many
 * @param status of the answer
 * @param body of the answer, empty for none
 */
record RouteGuard(KeyTemplate key, HttpStatusCode status, String body) {

	/**
	 * @param status {@code null} for 404, and for 200 if a request asks for many keys
	 * @param body {@code null} for none, and for an empty list if a request asks for many
	 * keys and no status is set
	 */
	static RouteGuard of(KeyTemplate key, @Nullable HttpStatusCode status, @Nullable String body) {
		boolean list = key.parameter() != null && status == null;
		HttpStatusCode usual = list ? HttpStatus.OK : HttpStatus.NOT_FOUND;
		return new RouteGuard(key, (status != null) ? status : usual, (body != null) ? body : list ? "[]" : "");
	}

	/**
	 * Return whether requests of a method only read, so that there is nothing to be done
	 * for a key that exists nowhere.
	 */
	static boolean reads(HttpMethod method) {
		return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
	}

	MediaType contentType() {
		return (this.body.startsWith("{") || this.body.startsWith("[")) ? MediaType.APPLICATION_JSON
				: new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);
	}

	byte[] bytes() {
		return this.body.getBytes(StandardCharsets.UTF_8);
	}

}
