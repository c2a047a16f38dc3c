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

package io.github.bloomguard.cache.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.ReturnType;

/**
 * Commands about the entries of caches, each with a deadline; on the thread and the
 * connection that the driver uses without one, if it can.
 */
public interface EntryCommands {

	/**
	 * Read an entry, {@code null} if it is not there.
	 * @throws ExecutionException if Redis has not answered, or with an error
	 * @throws TimeoutException if it has not answered in time
	 */
	byte @Nullable [] read(byte[] key) throws InterruptedException, ExecutionException, TimeoutException;

	/**
	 * Read an entry without waiting.
	 * @param reactively does so on a connection of its own
	 */
	default CompletableFuture<byte @Nullable []> retrieve(byte[] key,
			Supplier<CompletableFuture<byte @Nullable []>> reactively) {
		return reactively.get();
	}

	/**
	 * Run a script; fails as {@link #read} does.
	 */
	<T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments)
			throws InterruptedException, ExecutionException, TimeoutException;

}
