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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import io.github.bloomguard.call.Answer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link CacheGuard}.
 */
class CacheGuardTests {

	@Test
	void cachesAreUsedAgainAlsoIfTooMuchWaitedForRedisWhenItWasLost() {
		RedisConnectionFactory connections = mock();
		given(connections.getConnection()).willReturn(mock(RedisConnection.class));
		CountDownLatch held = new CountDownLatch(1);
		try (CacheGuard guard = new CacheGuard(connections, "bloom-guard", (name) -> CacheRules.DEFAULT, List.of(),
				Runnable::run, Duration.ofSeconds(1), (cache, key) -> () -> Answer.of(true), Stream::empty)) {
			boolean room = true;
			while (room) {
				room = !guard.parts().run(() -> await(held)).isCompletedExceptionally();
			}
			guard.breaker().open(new QueryTimeoutException("lost"));
			assertThat(guard.breaker().permits()).isFalse();
			held.countDown();
			Awaitility.await().until(guard.breaker()::permits);
		}
	}

	@Test
	void callsGoOnWithoutWhatNoThreadCanBeStartedForAndLaterOnesHaveIt() {
		EntryScripts scripts = mock();
		LoadToken known = mock();
		given(scripts.epoch()).willReturn(known);
		Executor starting = mock();
		willThrow(new OutOfMemoryError("unable to create native thread")).willAnswer((call) -> {
			call.<Runnable>getArgument(0).run();
			return null;
		}).given(starting).execute(any());
		Epoch epoch = new Epoch(scripts, starting, () -> true);
		assertThat(epoch.token()).isEqualTo(LoadToken.INVALID);
		assertThat(epoch.token()).isEqualTo(LoadToken.INVALID);
		assertThat(epoch.token()).isEqualTo(known);
	}

	private static void await(CountDownLatch held) {
		try {
			held.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
