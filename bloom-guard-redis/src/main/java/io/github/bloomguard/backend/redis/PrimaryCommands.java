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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;

/**
 * Sends commands and scripts always to the primary, without waiting, and for which
 * Redisson has no public methods. This is the one place that uses its insides.
 * <p>
 * Concurrency: {@code sender} belongs to the client that was seen last. If two threads
 * replace it, both have made the same.
 */
public final class PrimaryCommands {

	private static final RedisCommand<byte[]> GETRANGE = new RedisCommand<>("GETRANGE");

	private static final RedisCommand<String> INFO = new RedisCommand<>("INFO");

	private final RedisAccess access;

	private final CommandLimits limits;

	private final Duration longest;

	private final Duration unsent;

	private volatile @Nullable ClientSender sender;

	/**
	 * @param longest after which a script counts as not answered, whatever Redisson says
	 * @param unsent for how long a script is sent again that Redisson has not written
	 */
	PrimaryCommands(RedisAccess access, CommandLimits limits, Duration longest, Duration unsent) {
		this.access = access;
		this.limits = limits;
		this.longest = longest;
		this.unsent = unsent;
	}

	private CommandLimits.Sender sender() {
		ClientSender sender = this.sender;
		Redisson client = this.access.client();
		if (sender == null || sender.client() != client) {
			sender = new ClientSender(client, this.limits.sender(client));
			this.sender = sender;
		}
		return sender.sender();
	}

	public <R> CompletableFuture<R> send(String key, RedisCommand<R> command, Object... params) {
		return this.access
			.send(() -> sender().send((commands) -> commands.writeAsync(key, StringCodec.INSTANCE, command, params)));
	}

	CompletableFuture<List<String>> informationOfAll() {
		return this.access.send(() -> {
			CommandLimits.Sender sender = sender();
			List<CompletableFuture<String>> answers = RedissonLine.connections(this.access.client())
				.getEntrySet()
				.stream()
				.map((primary) -> sender
					.<String>send((commands) -> commands.writeAsync(primary, StringCodec.INSTANCE, INFO))
					.toCompletableFuture())
				.toList();
			return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
				.thenApply((nothing) -> answers.stream().map(CompletableFuture::join).toList());
		}).copy().orTimeout(this.longest.toMillis(), TimeUnit.MILLISECONDS);
	}

	CompletableFuture<byte[]> bytes(String key, long from, long to) {
		return this.access.send(() -> sender().send((commands) -> commands.writeAsync(key, ByteArrayCodec.INSTANCE,
				GETRANGE, key, String.valueOf(from), String.valueOf(to))));
	}

	public CompletableFuture<Boolean> test(List<String> keys, String script, Object... params) {
		return count(keys, script, params).thenApply((count) -> count > 0);
	}

	public CompletableFuture<Long> count(List<String> keys, String script, Object... params) {
		return eval(RedisCommands.EVAL_LONG, keys, script, params);
	}

	public CompletableFuture<List<String>> list(List<String> keys, String script, Object... params) {
		return eval(RedisCommands.EVAL_LIST, keys, script, params).thenApply(PrimaryCommands::strings);
	}

	CompletableFuture<@Nullable String> text(List<String> keys, String script, Object... params) {
		return this.<@Nullable String>eval(RedisCommands.EVAL_STRING, keys, script, params);
	}

	static List<String> strings(List<?> reply) {
		return reply.stream().map(String::valueOf).toList();
	}

	private <R extends @Nullable Object> CompletableFuture<R> eval(RedisCommand<R> type, List<String> keys,
			String script, Object... params) {
		String first = keys.get(0);
		// a copy, because a reply that comes too late must not meet a completed future
		return this
			.<R>sendUntilWritten(() -> sender().send((commands) -> commands.evalWriteAsync(first, StringCodec.INSTANCE,
					type, script, List.copyOf(keys), params)), System.nanoTime() + this.unsent.toNanos())
			.copy()
			.orTimeout(this.longest.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(RedisFailures.translate(failure)));
	}

	private <R extends @Nullable Object> CompletableFuture<R> sendUntilWritten(
			Supplier<? extends CompletionStage<R>> script, long end) {
		return this.access.<R>send(script)
			.exceptionallyCompose((failure) -> (RedisFailures.isNotSentInTime(failure) && System.nanoTime() - end < 0)
					? sendUntilWritten(script, end) : CompletableFuture.failedFuture(failure));
	}

	private record ClientSender(Redisson client, CommandLimits.Sender sender) {
	}

}
