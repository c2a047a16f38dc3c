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

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RemovedKeys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.cache.Cache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for keys that a caller writes in another way than a source does.
 */
@Execution(ExecutionMode.CONCURRENT)
class KeySpellingTests {

	@AutoClose
	private final TestRedis redis = TestRedis.start();

	@AutoClose
	private final GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 1000),
			"bloom-guard.filters.products.mirror.enabled=true");

	private final BloomGuard guard = this.application.guard();

	@Test
	void keyIsFoundHoweverItIsWritten() {
		UUID uuid = UUID.randomUUID();
		this.guard.add("products", uuid);
		awaitMirror();
		String capitals = uuid.toString().toUpperCase(Locale.ROOT);
		for (String text : List.of("007", "+7", " 7", "7.0", capitals)) {
			assertThat(this.guard.mightContain("products", text)).as(text).isTrue();
			assertThat(this.guard.get("products", text, () -> "row")).as(text).isEqualTo("row");
			assertThat(this.guard.get("products", List.of(text), () -> "row")).as("composite").isNull();
		}
		assertThat(this.guard.mightContain("products", "0070007")).isFalse();
	}

	@Test
	void keyThatIsRemovedHidesNoOtherOfItsForm() {
		this.application.awaitReady();
		RemovedKeys.allow(this.redis, "products");
		this.guard.add("products", "a new record makes the first add wait");
		awaitMirror();
		this.guard.remove("products", "043");
		this.guard.remove("products", "42");
		Awaitility.await()
			.until(() -> this.application.products()
				.filter()
				.lookupInMemory(this.application.products().filter().snapshot(), "42") == Membership.ABSENT);
		assertThat(RemovedKeys.of(this.redis, "products")).containsExactly("42");
		assertThat(this.guard.mightContain("products", 42)).isFalse();
		for (Object other : List.of("0042", 43, "043")) {
			assertThat(this.guard.mightContain("products", other)).as("%s", other).isTrue();
		}
		this.guard.add("products", "0042");
		assertThat(this.guard.mightContain("products", 42)).as("added in other words").isTrue();
	}

	@Test
	void keyThatWasNotFoundHidesNoOtherOfItsForm() {
		awaitMirror();
		assertThat(this.guard.<Object, RuntimeException>get("products", 500, () -> null)).isNull();
		Awaitility.await().until(() -> !this.redis.keys("*:empty:500").isEmpty());
		assertThat(this.guard.get("products", 500, () -> "row")).as("remembered").isNull();
		assertThat(this.guard.get("products", "0500", () -> "row")).isEqualTo("row");
		assertThat(this.guard.<Object, RuntimeException>get("products", "0501", () -> null)).isNull();
		assertThat(this.guard.get("products", 501, () -> "row")).isEqualTo("row");
	}

	@Test
	void nullEntriesOfAllAddedKeysAreCleared() {
		ConcurrentMapCacheManager caches = new ConcurrentMapCacheManager("products");
		Cache cache = caches.getCache("products");
		for (String key : List.of("2007", "02007", "abc")) {
			cache.put(key, null);
		}
		try (GuardApplication inMemory = GuardApplication.start(this.redis, List.of(new Keys("products", 1), caches),
				"bloom-guard.filters.products.type=memory", "bloom-guard.filters.products.caches=products")) {
			inMemory.guard().add("products", "2007", "02007");
		}
		assertThat(cache.get("2007")).isNull();
		assertThat(cache.get("02007")).isNull();
		assertThat(cache.get("abc")).as("another").isNotNull();
	}

	private void awaitMirror() {
		Awaitility.await()
			.until(() -> this.application.products()
				.filter()
				.lookupInMemory(this.application.products().filter().snapshot(), "absent") == Membership.ABSENT);
	}

}
