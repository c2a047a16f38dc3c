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

package io.github.bloomguard.backend.redis;

import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.circuit.RedisRefusedException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisException;

/**
 * One question, and its answer when it comes.
 */
public abstract class QueuedLookup extends CompletableFuture<Membership> {

	private final long askedAt = System.nanoTime();

	final long askedAt() {
		return this.askedAt;
	}

	public final void fail(@Nullable Throwable failure) {
		RuntimeException cause = RedisFailures
			.translate((failure != null) ? failure : new RedisException("There was no reply"));
		if (cause instanceof RedisRefusedException && String.valueOf(cause.getMessage()).startsWith("WRONGTYPE")) {
			// something else is stored under this name
			complete(Membership.UNKNOWN);
		}
		else {
			completeExceptionally(cause);
		}
	}

}
