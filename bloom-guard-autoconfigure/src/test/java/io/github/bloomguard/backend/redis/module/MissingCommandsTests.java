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

package io.github.bloomguard.backend.redis.module;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for applications whose server has no filters of its own.
 */
class MissingCommandsTests {

	private static GuardApplication start(TestRedis redis, String type) {
		return GuardApplication.start(redis, new Keys("products", 100), "bloom-guard.filters.products.type=" + type);
	}

	@ParameterizedTest
	@CsvSource({ "redis-bloom, 'BF.RESERVE, BF.INSERT, BF.MEXISTS, BF.INFO'",
			"redis-cuckoo, 'CF.RESERVE, CF.INSERT, CF.MEXISTS, CF.COUNT, CF.INFO'" })
	void missingCommandsStopTheStart(String type, String commands) {
		try (TestRedis redis = TestRedis.start()) {
			assertThatException().isThrownBy(() -> start(redis, type))
				.havingRootCause()
				.isInstanceOfSatisfying(InvalidGuardException.class, (ex) -> {
					assertThat(ex.getProblem()).isEqualTo(
							"bloom-guard.filters.products.type is '" + type + "', but the server has no " + commands);
					assertThat(ex.getRemedy()).contains("Set it to redis", "Redis 8", "RedisBloom");
				});
			assertThat(redis.keys("*")).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "redis-bloom, BF.RESERVE", "redis-cuckoo, CF.RESERVE" })
	void applicationStartsWhileRedisIsDownAndTellsLaterWhatIsMissing(String type, String command) {
		try (TestRedis redis = TestRedis.start()) {
			redis.kill();
			try (GuardApplication application = start(redis, type)) {
				assertThat(application.guard().mightContain("products", "absent")).isTrue();
				redis.restart();
				application.awaitState(FilterState.UNREACHABLE);
				Awaitility.await()
					.until(() -> String.valueOf(application.products().filter().stateChange().reason())
						.contains("the server has no " + command));
				assertThat(application.guard().mightContain("products", "absent")).isTrue();
			}
		}
	}

}
