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

package io.github.bloomguard.sample;

import java.util.Locale;

/**
 * What has answered a request, as told in the header {@value #HEADER}.
 */
enum ServedBy {

	/**
	 * The filter was certain that the product doesn't exist.
	 */
	FILTER,

	/**
	 * It was remembered that the database had found nothing.
	 */
	SENTINEL,

	/**
	 * The product was in the cache.
	 */
	CACHE,

	/**
	 * A statement was sent to the database.
	 */
	DATABASE;

	static final String HEADER = "X-Served-By";

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
