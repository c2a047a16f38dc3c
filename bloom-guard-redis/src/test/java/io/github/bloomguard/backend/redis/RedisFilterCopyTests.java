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
import java.util.stream.IntStream;

import io.github.bloomguard.filter.FilterCopy;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisFilterCopy}.
 */
class RedisFilterCopyTests {

	private static final String SALT = "salt";

	private static TestRedis redis;

	private static RedissonClient redisson;

	private final RedisFilterStore store = new RedisFilterStore(new RedisAccess(redisson, Runnable::run), "test",
			Duration.ofSeconds(30), Duration.ofSeconds(30));

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		redisson = RedissonClients.of(redis);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		redis.close();
	}

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	@Test
	void copyFindsWhatTheFilterDoesAndHardlyAnythingElse() {
		List<String> present = elements(0, 2000);
		FilterCopy copy = copy(filter(1000, present, true));
		assertThat(copy.load().join()).isTrue();
		assertThat(present).allMatch(copy::mightContain);
		StoredFilter filter = open(1000);
		List<String> others = elements(2000, 3000);
		assertThat(others).allSatisfy((other) -> assertThat(copy.mightContain(other))
			.isEqualTo(filter.lookup(SALT + other).join() == io.github.bloomguard.Membership.MAYBE));
	}

	@Test
	void largeFilterIsCopiedInPieces() {
		List<String> present = elements(0, 5000);
		FilterCopy copy = copy(filter(2_000_000, present, true));
		redis.command("CONFIG", "RESETSTAT");
		assertThat(copy.load().join()).isTrue();
		assertThat(redis.calls("getrange")).isEqualTo(5);
		assertThat(present).allMatch(copy::mightContain);
		assertThat(elements(10_000, 11_000)).noneMatch(copy::mightContain);
	}

	@Test
	void elementsMayBeAddedBeforeAndAfterTheBitsAreCopied() {
		FilterCopy copy = copy(filter(1000, elements(0, 10), true));
		copy.add("before");
		assertThat(copy.mightContain("before")).isTrue();
		assertThat(copy.mightContain("ä€😀")).isFalse();
		copy.load().join();
		copy.add("ä€😀");
		assertThat(List.of("before", "ä€😀", "7")).allMatch(copy::mightContain);
		StoredFilter filter = open(1000);
		filter.add(List.of(SALT + "ä€😀")).join();
		FilterCopy other = copy(filter);
		other.load().join();
		assertThat(other.mightContain("ä€😀")).isTrue();
	}

	@Test
	void numberHasTheBitsOfItsDigits() {
		FilterCopy copy = copy(filter(1000, List.of(), true));
		long[] numbers = { 0, 7, -7, 10, 4711, -120, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1 };
		for (long number : numbers) {
			assertThat(copy.mightContain(number)).as("%d", number).isFalse();
			copy.add(String.valueOf(number));
			assertThat(copy.mightContain(number)).as("%d", number).isTrue();
		}
	}

	@Test
	void threadKeepsNoLargeBuffer() {
		FilterCopy copy = copy(filter(1000, List.of(), true));
		String large = "ä".repeat(1_000_000);
		copy.add(large);
		assertThat(copy.mightContain(large)).isTrue();
		assertThat(RedisFilterCopy.retainedBytes()).isLessThanOrEqualTo(RedisFilterCopy.MAX_RETAINED);
		copy.mightContain("small");
		assertThat(RedisFilterCopy.retainedBytes()).isPositive();
		assertThat(copy.mightContain(large)).isTrue();
	}

	@Test
	void filterThatIsNotSealedOrNotThereIsNotCopied() {
		assertThat(copy(filter(1000, List.of(), false)).load().join()).isFalse();
		assertThat(copy(open(5000)).load().join()).isFalse();
	}

	private StoredFilter filter(long size, List<String> elements, boolean sealed) {
		StoredFilter filter = this.store.create(id(size), specification(size)).join();
		filter.add(elements.stream().map(SALT::concat).toList()).join();
		if (sealed) {
			filter.seal().join();
		}
		return filter;
	}

	private StoredFilter open(long size) {
		return this.store.open(id(size), specification(size));
	}

	private static FilterCopy copy(StoredFilter filter) {
		return filter.copy(SALT).orElseThrow();
	}

	private static GenerationId id(long size) {
		return new GenerationId("products", "of-" + size);
	}

	private static FilterSpecification specification(long size) {
		return new FilterSpecification("products", size, 0.01);
	}

	private static List<String> elements(int from, int to) {
		return IntStream.range(from, to).mapToObj(String::valueOf).toList();
	}

}
