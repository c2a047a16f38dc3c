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

import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the life of a filter in one application and several.
 */
class FilterLifecycleTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private final Keys keys = new Keys("products", 5000);

	@BeforeEach
	void flush() {
		redis.reset();
	}

	@Test
	void warmedUpFilterKnowsItsKeysAndMissesOthers() {
		try (GuardApplication application = GuardApplication.start(redis, this.keys).awaitReady()) {
			BloomGuard guard = application.guard();
			assertThat(LongStream.rangeClosed(1, 5000).filter((id) -> guard.mightContain("products", id)).count())
				.isEqualTo(5000);
			assertThat(IntStream.range(100_000, 102_000).filter((id) -> guard.mightContain("products", id)).count())
				.isLessThan(40);
		}
	}

	@Test
	void restartedApplicationUsesTheGenerationThatItFinds() {
		String generation;
		try (GuardApplication application = GuardApplication.start(redis, this.keys).awaitReady()) {
			generation = application.products().filter().active().id();
		}
		try (GuardApplication application = GuardApplication.start(redis, this.keys).awaitReady()) {
			assertThat(application.products().filter().active().id()).isEqualTo(generation);
			assertThat(this.keys.reads()).isOne();
		}
	}

	@Test
	void oneOfTwoInstancesLoads() {
		try (GuardApplication first = GuardApplication.start(redis, this.keys);
				GuardApplication second = GuardApplication.start(redis, this.keys)) {
			first.awaitReady();
			second.awaitReady();
			assertThat(this.keys.reads()).isOne();
		}
	}

}
