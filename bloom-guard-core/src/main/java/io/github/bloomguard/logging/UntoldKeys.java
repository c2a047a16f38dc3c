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

package io.github.bloomguard.logging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.core.log.LogMessage;

/**
 * Says what writes rows without telling their keys, so that a filter is loaded again:
 * each once in a while. Thread-safe.
 */
public final class UntoldKeys {

	private final Map<String, ThrottledLog> logs = new ConcurrentHashMap<>();

	private final Class<?> listener;

	/**
	 * @param listener in whose name it is logged
	 */
	public UntoldKeys(Class<?> listener) {
		this.listener = listener;
	}

	public void warn(String filter, String reason, String remedy) {
		LogFields.withFilter(filter,
				() -> this.logs.computeIfAbsent(filter + " " + reason, (name) -> new ThrottledLog(this.listener))
					.warn(LogMessage.format("The filter '%s' is loaded again, because %s: %s", filter, reason, remedy),
							null));
	}

}
