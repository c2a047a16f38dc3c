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

package io.github.bloomguard;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a context that is stopped and started again, as for a checkpoint of its
 * process (CRaC) or between test classes.
 */
@Tag("slow")
class RestartTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static long connectionsBefore;

	@AutoClose
	private final GuardApplication application = start();

	private static GuardApplication start() {
		redis.reset();
		connectionsBefore = connections();
		return GuardApplication.start(redis, List.of(new Keys("products", 1000), LateWriter.class),
				"bloom-guard.filters.products.mirror.enabled=true");
	}

	@BeforeEach
	void awaitMirror() {
		this.application.awaitReady();
		awaitAnswering();
	}

	static List<Consumer<ConfigurableApplicationContext>> restarts() {
		return List.of((context) -> {
			context.stop();
			context.start();
		}, (context) -> {
			context.pause();
			context.restart();
		});
	}

	@ParameterizedTest
	@MethodSource("restarts")
	void filterAnswersAgainFromAMirror(Consumer<ConfigurableApplicationContext> restart) {
		restart.accept(this.application.context());
		this.application.awaitReady();
		awaitAnswering();
		assertThat(this.application.guard().mightContain("products", 1)).isTrue();
		assertThat(this.application.guard().mightContain("products", 5000)).isFalse();
		this.application.guard().add("products", 5000);
		assertThat(this.application.guard().mightContain("products", 5000)).isTrue();
	}

	@Test
	void noConnectionIsOpenWhileTheContextIsStopped() {
		assertThat(connections()).isGreaterThan(connectionsBefore);
		this.application.context().stop();
		Awaitility.await().until(() -> connections() <= connectionsBefore);
		assertThat(this.application.guard().membership("products", 5000)).isEqualTo(Membership.UNKNOWN);
	}

	@Test
	void filterThatIsLostAfterARestartIsLoadedAgain() {
		this.application.context().stop();
		redis.command("FLUSHALL");
		this.application.context().start();
		this.application.awaitState(FilterState.READY);
		Awaitility.await()
			.until(() -> this.application.guard().mightContain("products", 1)
					&& this.application.guard().membership("products", 5000) == Membership.ABSENT);
	}

	@Test
	void keysCanBeAddedWhileTheContextIsBeingClosed() {
		LateWriter writer = this.application.bean(LateWriter.class);
		this.application.close();
		assertThat(writer.added).isTrue();
	}

	private void awaitAnswering() {
		Awaitility.await()
			.until(() -> this.application.products().filter().mirrorStatus().state() == MirrorStatus.State.ANSWERING);
	}

	private static long connections() {
		return Arrays.stream(redis.command("CLIENT", "LIST").split("\n"))
			.filter((line) -> line.contains("addr="))
			.count();
	}

	/**
	 * Adds a key after the lifecycle has ended, as tasks do that an executor waits for.
	 */
	static final class LateWriter implements DisposableBean {

		private final BloomGuard guard;

		private boolean added;

		LateWriter(BloomGuard guard) {
			this.guard = guard;
		}

		@Override
		public void destroy() {
			this.guard.add("products", 6000);
			this.added = true;
		}

	}

}
