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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.stream.LongStream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A filter that was damaged recovers, and meanwhile calls none of its keys absent.
 */
final class Recovery {

	private final GuardApplication application;

	private final String former;

	/**
	 * Create an instance before the damage is done.
	 */
	Recovery(GuardApplication application) {
		this.application = application;
		this.former = application.products().filter().active().id();
	}

	/**
	 * Return the id of the generation that is to be damaged.
	 */
	String former() {
		return this.former;
	}

	/**
	 * Await that another generation has taken its place.
	 * @param redis where it was
	 * @param last the keys are the numbers from 1 to this one
	 */
	void await(TestRedis redis, long last) {
		BloomGuard guard = this.application.guard();
		Awaitility.await().pollDelay(Duration.ZERO).until(() -> {
			assertThat(LongStream.rangeClosed(1, last).filter((id) -> !guard.mightContain("products", id)).boxed())
				.isEmpty();
			return this.application.products().filter().active() != null
					&& !this.application.products().filter().active().id().equals(this.former);
		});
		this.application.awaitReady();
		assertThat(LongStream.range(100_000, 100_500).filter((id) -> guard.mightContain("products", id)).count())
			.isLessThan(50);
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(redis.keys("*bits:" + this.former + "*")).isEmpty());
	}

}
