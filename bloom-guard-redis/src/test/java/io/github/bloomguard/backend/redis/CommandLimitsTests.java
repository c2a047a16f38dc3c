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
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.Redisson;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.config.Config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

/**
 * Tests for {@link CommandLimits}, in the way of each line of Redisson.
 */
class CommandLimitsTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	static Stream<Arguments> ways() {
		BiFunction<CommandLimits, Redisson, CommandLimits.Sender> newest = CommandLimits::sender;
		BiFunction<CommandLimits, Redisson, CommandLimits.Sender> batches = CommandLimits::batches;
		return Stream.of(Arguments.of(named("this version's", newest)),
				Arguments.of(named("that of versions before 3.26", batches)));
	}

	@ParameterizedTest
	@MethodSource("ways")
	void replyIsThatOfTheCommand(BiFunction<CommandLimits, Redisson, CommandLimits.Sender> way) {
		Redisson client = client(RedissonClients.config(redis));
		try {
			CommandLimits.Sender sender = way.apply(limits(Duration.ofSeconds(10), 1), client);
			redis.command("SET", "replied", "7");
			assertThat(increment(sender, "replied")).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(8L);
			assertThat(CompletableFuture.<Object>completedFuture(null)
				.thenCompose((nothing) -> sender.<Object>send(
						(commands) -> commands.writeAsync("none", StringCodec.INSTANCE, RedisCommands.GET, "none"))))
				.succeedsWithin(Duration.ofSeconds(10))
				.isNull();
		}
		finally {
			client.shutdown();
		}
	}

	/**
	 * An add that has failed must not come later.
	 */
	@ParameterizedTest
	@MethodSource("ways")
	void commandIsSentAsOftenAsItsLimitsSayAndNotAsTheClients(
			BiFunction<CommandLimits, Redisson, CommandLimits.Sender> way) {
		Redisson client = client(OwnConfig.of(patient(RedissonClients.config(redis))));
		try {
			redis.command("DEL", "sent");
			CommandLimits.Sender once = way.apply(limits(Duration.ofMillis(300), 0), client);
			CommandLimits.Sender twice = way.apply(limits(Duration.ofMillis(300), 1), client);
			assertThat(increment(once, "warm")).succeedsWithin(Duration.ofSeconds(10));
			redis.freeze();
			try {
				assertThat(increment(once, "sent")).failsWithin(Duration.ofSeconds(5));
				assertThat(increment(twice, "sent")).failsWithin(Duration.ofSeconds(5));
			}
			finally {
				redis.thaw();
			}
			Awaitility.await()
				.during(Duration.ofSeconds(1))
				.atMost(Duration.ofSeconds(20))
				.until(() -> redis.command("GET", "sent"), (sent) -> sent.contains("3"));
		}
		finally {
			client.shutdown();
		}
	}

	/**
	 * What was never written may be sent again, so the failure must tell.
	 */
	@ParameterizedTest
	@MethodSource("ways")
	void failureOfACommandThatWasNotWrittenIsRedissons(BiFunction<CommandLimits, Redisson, CommandLimits.Sender> way) {
		EventLoopGroup threads = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
		Redisson client = client(RedissonClients.config(redis).setEventLoopGroup(threads));
		try {
			CommandLimits.Sender sender = way.apply(limits(Duration.ofSeconds(10), 1), client);
			assertThat(increment(sender, "warm")).succeedsWithin(Duration.ofSeconds(10));
			CompletableFuture<Void> over = new CompletableFuture<>();
			try {
				threads.forEach((thread) -> thread.execute(over::join));
				assertThat(increment(sender, "warm").handle((reply, failure) -> failure))
					.succeedsWithin(Duration.ofSeconds(10))
					.isExactlyInstanceOf(RedisTimeoutException.class);
			}
			finally {
				over.complete(null);
			}
		}
		finally {
			client.shutdown();
			threads.shutdownGracefully();
		}
	}

	private static CommandLimits limits(Duration timeout, int retries) {
		return new CommandLimits(timeout, retries, Duration.ofMillis(200));
	}

	private static CompletableFuture<Long> increment(CommandLimits.Sender sender, String key) {
		return sender
			.<Long>send((commands) -> commands.evalWriteAsync(key, StringCodec.INSTANCE, RedisCommands.EVAL_LONG,
					"return redis.call('incr', KEYS[1])", List.of(key)))
			.toCompletableFuture();
	}

	private static Config patient(Config config) {
		config.useSingleServer().setRetryAttempts(5).setTimeout(500);
		return config;
	}

	private static Redisson client(Config config) {
		return (Redisson) Redisson.create(config);
	}

}
