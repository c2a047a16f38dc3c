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

import io.github.bloomguard.declaration.OptionalLibrary;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/**
 * Answers of HTTP as values: one with the status 404 says that there is nothing, and any
 * other failure proves nothing. Nothing of Spring's web support is loaded where that is
 * missing.
 */
final class Responses {

	private Responses() {
	}

	static boolean are(Class<?> type) {
		return OptionalLibrary.SPRING_WEB.isPresent() && Entities.are(type);
	}

	static boolean isOne(@Nullable Object result) {
		return result != null && are(result.getClass());
	}

	/**
	 * Return what is in an answer.
	 */
	static ResultContent content(Object response) {
		return Entities.content(response);
	}

	static Object notFound() {
		return Entities.notFound();
	}

	private static final class Entities {

		static boolean are(Class<?> type) {
			return ResponseEntity.class.isAssignableFrom(type);
		}

		static ResultContent content(Object response) {
			ResponseEntity<?> entity = (ResponseEntity<?>) response;
			if (entity.getStatusCode().isSameCodeAs(HttpStatus.NOT_FOUND)) {
				return ResultContent.EMPTY;
			}
			return (entity.getStatusCode().is2xxSuccessful() && entity.getBody() != null)
					? ResultContent.of(entity.getBody()) : ResultContent.UNKNOWN;
		}

		static Object notFound() {
			return ResponseEntity.notFound().build();
		}

	}

}
