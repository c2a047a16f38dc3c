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

import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.BatchOptions;
import org.redisson.api.RFuture;
import org.redisson.api.options.ObjectParams;
import org.redisson.api.options.OptionalOptions;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.command.CommandAsyncService;
import org.redisson.command.CommandBatchService;

import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;

/**
 * How long a command may take, and how often it is tried, whatever the configuration of
 * the client says. Redisson before 3.26 has such limits for batches only, so there a
 * command is a batch of one.
 *
 * @param timeout how long the client waits for the reply to each try
 * @param retries how many tries may follow the first one
 * @param pause how long the client waits before it tries again, and for the command to be
 * written
 */
record CommandLimits(Duration timeout, int retries, Duration pause) {

	private static final boolean OPTIONS = ClassUtils.isPresent("org.redisson.api.options.ObjectParams",
			CommandLimits.class.getClassLoader());

	/**
	 * Return how long all tries may take together.
	 */
	Duration longest() {
		return this.timeout.plus(this.pause).multipliedBy(this.retries + 1L);
	}

	Sender sender(Redisson client) {
		return OPTIONS ? new LimitedCommands(Options.of(client.getCommandExecutor(), this)) : batches(client);
	}

	Sender batches(Redisson client) {
		return new BatchesOfOne(client.getCommandExecutor(), batch());
	}

	@SuppressWarnings("deprecation") // retryDelay came with 3.46
	private BatchOptions batch() {
		return BatchOptions.defaults()
			.responseTimeout(this.timeout.toMillis(), TimeUnit.MILLISECONDS)
			.retryAttempts(this.retries)
			.retryInterval(this.pause.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * Sends commands within their limits.
	 */
	interface Sender {

		<R> CompletionStage<R> send(Function<CommandAsyncExecutor, RFuture<R>> command);

	}

	private record LimitedCommands(CommandAsyncExecutor commands) implements Sender {

		@Override
		public <R> CompletionStage<R> send(Function<CommandAsyncExecutor, RFuture<R>> command) {
			return command.apply(this.commands);
		}

	}

	private record BatchesOfOne(CommandAsyncExecutor commands, BatchOptions options) implements Sender {

		@Override
		@SuppressWarnings("unchecked")
		public <R> CompletionStage<R> send(Function<CommandAsyncExecutor, RFuture<R>> command) {
			CommandBatchService batch = new CommandBatchService(this.commands, this.options);
			command.apply(batch);
			CompletableFuture<R> reply = new CompletableFuture<>();
			// what has failed must not be wrapped: it tells whether the command was
			// written
			batch.executeAsync().whenComplete((result, failure) -> {
				if (failure != null) {
					reply.completeExceptionally(failure);
				}
				else {
					reply.complete((R) result.getResponses().get(0));
				}
			});
			return reply;
		}

	}

	/**
	 * Apart, because the type is not there before Redisson 3.26.
	 */
	private static final class Options {

		/**
		 * Redisson 3.28 made the constructor protected, and has a method instead.
		 */
		private static final @Nullable Constructor<CommandAsyncService> CONSTRUCTOR = ClassUtils
			.getConstructorIfAvailable(CommandAsyncService.class, CommandAsyncExecutor.class, ObjectParams.class);

		static CommandAsyncExecutor of(CommandAsyncExecutor commands, CommandLimits limits) {
			ObjectParams options = of(limits);
			return (CONSTRUCTOR != null) ? BeanUtils.instantiateClass(CONSTRUCTOR, commands, options)
					: commands.copy(options);
		}

		@SuppressWarnings("deprecation") // retryDelay came with 3.46
		private static ObjectParams of(CommandLimits limits) {
			return (ObjectParams) OptionalOptions.defaults()
				.timeout(limits.timeout())
				.retryAttempts(limits.retries())
				.retryInterval(limits.pause());
		}

	}

}
