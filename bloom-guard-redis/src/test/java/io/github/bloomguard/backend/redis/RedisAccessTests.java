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
import java.util.concurrent.locks.LockSupport;

import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.config.Config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link RedisAccess}.
 */
class RedisAccessTests {

	@Test
	void serverWithoutScriptsIsNamedAndNotSentOneForEver() {
		try (TestRedis redis = TestRedis.start("--rename-command", "EVALSHA", "");
				RedisAccess access = RedisAccess.owning(RedissonClients.config(redis), Runnable::run)) {
			PrimaryCommands commands = access.commands(Duration.ofMillis(100), 0);
			assertThatException().isThrownBy(() -> commands.count(List.of("key"), "return 1").join())
				.withStackTraceContaining("the server has no EVALSHA");
		}
	}

	/**
	 * As on a busy machine, or behind a pause of the collector.
	 */
	@Test
	void scriptIsSentThoughTheThreadsOfTheClientStandStillForAWhile() {
		EventLoopGroup threads = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
		try (TestRedis redis = TestRedis.start();
				RedisAccess access = RedisAccess.owning(RedissonClients.config(redis).setEventLoopGroup(threads),
						Runnable::run)) {
			PrimaryCommands commands = access.commands(Duration.ofSeconds(30), 1, Duration.ofSeconds(30));
			commands.count(List.of("key"), "return 1").join();
			threads.forEach((thread) -> thread.execute(() -> standStill(Duration.ofMillis(900))));
			assertThat(commands.count(List.of("key"), "return 1")).succeedsWithin(Duration.ofSeconds(30));
		}
		finally {
			threads.shutdownGracefully();
		}
	}

	private static void standStill(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		while (System.nanoTime() - end < 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

	/**
	 * Redis before 7 says first where in the script, and a log has room for little more.
	 */
	@Test
	void whatRefusesAScriptIsSaidFirst() {
		try (TestRedis redis = TestRedis.start("--min-replicas-to-write", "1");
				RedisAccess access = RedisAccess.owning(RedissonClients.config(redis), Runnable::run)) {
			PrimaryCommands commands = access.commands(Duration.ofSeconds(2), 0);
			assertThatException()
				.isThrownBy(() -> commands.count(List.of("key"), "return redis.call('incr', KEYS[1])").join())
				.havingCause()
				.withMessageStartingWith("NOREPLICAS Not enough good replicas to write");
		}
	}

	/**
	 * Redisson before 3.23 connects when it is made.
	 */
	@Test
	void clientThatCanNotBeMadeWithoutAConnectionIsMadeWhenRedisAnswers() {
		try (TestRedis redis = TestRedis.start(); RedisAccess access = madeWhenNeeded(redis)) {
			redis.kill();
			PrimaryCommands commands = access.commands(Duration.ofSeconds(2), 0);
			assertThat(commands.count(List.of("key"), "return 1")).failsWithin(Duration.ofSeconds(30));
			redis.restart();
			Awaitility.await()
				.untilAsserted(() -> assertThat(commands.count(List.of("key"), "return 1"))
					.succeedsWithin(Duration.ofSeconds(30)));
			Redisson made = access.client();
			access.disconnect();
			assertThat(made.isShutdown()).isTrue();
		}
	}

	@Test
	void clientThatIsMadeAfterItsAccessWasDisconnectedIsClosed() {
		try (TestRedis redis = TestRedis.start(); RedisAccess access = madeWhenNeeded(redis)) {
			access.disconnect();
			access.commands(Duration.ofSeconds(2), 0).count(List.of("key"), "return 1");
			Awaitility.await().ignoreException(IllegalStateException.class).until(() -> access.client().isShutdown());
		}
	}

	private static RedisAccess madeWhenNeeded(TestRedis redis) {
		Config config = RedissonClients.config(redis);
		return new RedisAccess(new GuardClient(config, OwnConfig.of(config).servers(), null, true),
				(task) -> new Thread(task).start());
	}

}
