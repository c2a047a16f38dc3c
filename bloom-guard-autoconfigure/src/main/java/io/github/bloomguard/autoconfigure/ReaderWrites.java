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

package io.github.bloomguard.autoconfigure;

import java.util.concurrent.CompletionException;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomRemove;
import io.github.bloomguard.circuit.RedisRefusedException;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.interceptor.GuardedMethods;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Says at the start that methods write to a filter of another application in a way that
 * has no effect here, instead of at the first call.
 */
record ReaderWrites(GuardedMethods methods) {

	private static final Log logger = LogFactory.getLog(ReaderWrites.class);

	/**
	 * Does not wait for Redis. If that is not there, the first add says what is missing.
	 */
	void check(ManagedFilter filter) {
		if (this.methods.areThere(filter.name(), BloomRemove.class)) {
			logger.warn(LogMessage.format(
					"@BloomRemove does nothing for the filter '%s': only its owner, the application '%s', removes keys."
							+ " Remove the annotation here, and let the owner remove the keys of rows that it deletes",
					filter.name(), filter.owner()));
		}
		if (this.methods.areThere(filter.name(), BloomAdd.class)) {
			filter.filter().checkAdds().whenComplete((nothing, failure) -> report(filter, failure));
		}
	}

	private static void report(ManagedFilter filter, @Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		if (cause instanceof RedisRefusedException) {
			logger.error(LogMessage
				.format("@BloomAdd can't add keys to the filter '%s' of the application '%s', and each call of such a method"
						+ " will fail: %s. Give the user the rights of an owner, or remove the annotation: the owner adds"
						+ " the keys of rows that it inserts", filter.name(), filter.owner(), cause.getMessage()));
		}
	}

}
