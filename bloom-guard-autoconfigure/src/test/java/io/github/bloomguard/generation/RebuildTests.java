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

package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for how one generation of a filter follows another.
 */
@Tag("slow")
class RebuildTests {

	private static final long LAST = 1000;

	private static final String PREFIX = "bloom-guard:{products}:";

	private static final String CONTROL = PREFIX + "control";

	private static final String JOURNAL = PREFIX + "journal";

	private static final Keys keys = new Keys("products", LAST);

	private static final Rows rows = new Rows();

	private static final AtomicLong ids = new AtomicLong(1_000_000);

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private static GuardApplication application;

	private static BloomGuard guard;

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis, List.of(keys, rows),
				"bloom-guard.filters.products.expected-insertions=100000");
		guard = application.guard();
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void awaitReady() {
		application.awaitReady();
	}

	@AfterEach
	void stopInterfering() {
		keys.beforeRead(() -> {
		});
	}

	@Test
	void keyAddedWhileTheSourceIsReadIsInTheNextGeneration() {
		long added = ids.incrementAndGet();
		keys.beforeRead(() -> guard.add("products", added));
		rebuild();
		assertThat(guard.membership("products", added)).isEqualTo(Membership.MAYBE);
		rebuildWithoutInterference();
		assertThat(guard.membership("products", added)).as("it was known by the journal only")
			.isEqualTo(Membership.ABSENT);
	}

	@Test
	void rebuiltFilterHasForgottenKeysThatAreGone() {
		long gone = ids.incrementAndGet();
		guard.add("products", gone);
		emptyJournal();
		rebuild();
		assertThat(guard.membership("products", gone)).isEqualTo(Membership.ABSENT);
		assertThatAllKeysAreThere();
	}

	@Test
	void onlyTheActiveGenerationIsLeft() {
		String former = activeId();
		rebuild();
		assertThat(activeId()).isNotEqualTo(former);
		assertThatOnlyTheActiveGenerationIsLeft();
	}

	@Test
	void noKeyIsLostWhileManyAreAddedAndTheFilterIsRebuiltAgainAndAgain() {
		AtomicBoolean stopped = new AtomicBoolean();
		AtomicInteger absent = new AtomicInteger();
		Stream<CompletableFuture<Void>> adders = IntStream.range(0, 4)
			.mapToObj((i) -> CompletableFuture.runAsync(() -> {
				while (!stopped.get()) {
					long id = ids.incrementAndGet();
					guard.add("products", id);
					rows.commit(id);
					if (!guard.mightContain("products", id) || !guard.mightContain("products", 1 + id % LAST)) {
						absent.incrementAndGet();
					}
				}
			}, (task) -> new Thread(task).start()));
		List<CompletableFuture<Void>> running = adders.toList();
		int before = rows.committed();
		for (int i = 0; i < 4; i++) {
			rebuild();
		}
		stopped.set(true);
		running.forEach(CompletableFuture::join);
		assertThat(absent).hasValue(0);
		assertThat(rows.committed() - before).isGreaterThan(100);
		assertThatAllKeysAreThere();
	}

	@Test
	void otherInstanceNeverCallsAKeyAbsentDuringRebuilds() {
		try (GuardApplication other = GuardApplication.start(redis, List.of(keys, rows),
				"bloom-guard.filters.products.expected-insertions=100000")) {
			other.awaitReady();
			BloomGuard otherGuard = other.guard();
			for (int i = 0; i < 4; i++) {
				long added = ids.incrementAndGet();
				CompletableFuture<Void> rebuilt = guard.rebuild("products");
				guard.add("products", added);
				rows.commit(added);
				while (!rebuilt.isDone()) {
					assertThat(otherGuard.mightContain("products", added)).isTrue();
					assertThat(otherGuard.mightContain("products", LAST)).isTrue();
				}
				String active = activeId();
				Awaitility.await().until(() -> activeId(other).equals(active));
				assertThat(otherGuard.membership("products", added)).isEqualTo(Membership.MAYBE);
			}
		}
	}

	@Test
	void buildFailsWhenTheJournalIsLostAndTheNextOneSucceeds() {
		assertOneFailure("the journal was lost", () -> redis.command("DEL", JOURNAL));
	}

	@Test
	void buildFailsWhenTheJournalIsLostAndBegunAnewAndTheNextOneSucceeds() {
		assertOneFailure("the journal was lost", () -> {
			redis.command("DEL", JOURNAL);
			long id = ids.incrementAndGet();
			guard.add("products", id);
			rows.commit(id);
		});
	}

	@Test
	void buildFailsWhenItsFilterIsLostAndTheNextOneSucceeds() {
		assertOneFailure("is gone", () -> redis.command("DEL", bits(loadingId()), bits(loadingId()) + ":config"));
	}

	@Test
	void buildFailsWhenEverythingIsLostAndTheNextOneSucceeds() {
		assertOneFailure("", () -> redis.command("FLUSHALL"));
	}

	@Test
	void buildFailsWhenAnotherBuilderTakesOver() {
		assertOneFailure("not listed as loading any more",
				() -> redis.command("SET", PREFIX + "lease", "another", "PX", "300"));
	}

	/**
	 * Assert that a build into which something intervenes never becomes active, is
	 * reported, and is repeated successfully.
	 */
	private static void assertOneFailure(String error, Runnable intervention) {
		int before = keys.reads();
		AtomicInteger attempts = new AtomicInteger();
		Queue<String> failed = new ConcurrentLinkedQueue<>();
		Queue<String> errors = new ConcurrentLinkedQueue<>();
		keys.beforeRead(() -> {
			if (attempts.incrementAndGet() == 1) {
				failed.add(loadingId());
				intervention.run();
			}
			else {
				errors.add(String.valueOf(application.products().warmUp().progress().error()));
				assertThat(activeId()).isNotEqualTo(failed.peek());
			}
		});
		rebuild();
		assertThat(attempts).hasValue(2);
		assertThat(keys.reads() - before).isEqualTo(2);
		assertThat(errors).singleElement().asString().contains(error);
		assertThat(activeId()).isNotIn(failed);
		assertThatAllKeysAreThere();
		assertThatOnlyTheActiveGenerationIsLeft();
		assertThat(application.products().warmUp().progress().error()).isNull();
	}

	@Test
	void halfBuiltGenerationOfADeadBuilderIsRemoved() {
		RedissonClient redisson = RedissonClients.of(redis);
		RedisAccess access = new RedisAccess(redisson, Runnable::run);
		try {
			FilterBackend backend = new RedisBackend(() -> access, "bloom-guard", Duration.ofSeconds(2));
			ControlStore control = backend.control(application.products().settings(), Origin.of("origin"));
			FilterSpecification specification = new FilterSpecification("products", 1000, 0.01);
			for (Phase phase : List.of(Phase.LOADING, Phase.LIVE)) {
				Generation dead = Generation.loading(specification, 1000, "origin");
				control.acquire("dead", Duration.ofMillis(300)).join();
				assertThat(new RecordSteps(control).begin("dead", dead, Duration.ofSeconds(1), Duration.ZERO).join())
					.isTrue();
				backend.filters().create(dead.bits(), specification).join();
				if (phase == Phase.LIVE) {
					assertThat(new RecordSteps(control).goLive("dead", dead.id(), "").join()).isTrue();
				}
				rebuild();
				assertThatOnlyTheActiveGenerationIsLeft();
			}
		}
		finally {
			redisson.shutdown();
		}
	}

	private static void rebuild() {
		guard.rebuild("products").orTimeout(30, TimeUnit.SECONDS).join();
	}

	private static void rebuildWithoutInterference() {
		keys.beforeRead(() -> {
		});
		emptyJournal();
		rebuild();
	}

	/**
	 * Let time go by: a build does not read back any more what has been added by now.
	 */
	private static void emptyJournal() {
		redis.command("XTRIM", JOURNAL, "MAXLEN", "0");
	}

	private static String bits(String id) {
		return PREFIX + "bits:" + id;
	}

	private static String loadingId() {
		return redis.command("HKEYS", CONTROL)
			.lines()
			.filter((field) -> redis.command("HGET", CONTROL, field).startsWith("LOADING"))
			.map((field) -> field.substring("g:".length()))
			.findFirst()
			.orElseThrow();
	}

	private static String activeId() {
		return activeId(application);
	}

	private static String activeId(GuardApplication application) {
		Generation active = application.products().filter().active();
		return (active != null) ? active.id() : "none";
	}

	private static void assertThatAllKeysAreThere() {
		assertThat(LongStream.concat(LongStream.rangeClosed(1, LAST), rows.stream())
			.filter((id) -> guard.membership("products", id) != Membership.MAYBE)).isEmpty();
	}

	private static void assertThatOnlyTheActiveGenerationIsLeft() {
		Awaitility.await()
			.untilAsserted(() -> assertThat(redis.keys("*:bits:*")).containsExactlyInAnyOrder(bits(activeId()),
					bits(activeId()) + ":config"));
		assertThat(redis.keys("*}:control")).hasSize(1);
		assertThat(redis.command("HKEYS", CONTROL).lines().filter((field) -> field.startsWith("g:")))
			.containsExactly("g:" + activeId());
	}

	/**
	 * Rows that are committed while the test runs.
	 */
	private static final class Rows implements KeySource {

		private final Queue<Long> committed = new ConcurrentLinkedQueue<>();

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return List.copyOf(this.committed).stream();
		}

		void commit(long id) {
			this.committed.add(id);
		}

		int committed() {
			return this.committed.size();
		}

		LongStream stream() {
			return this.committed.stream().mapToLong(Long::longValue);
		}

	}

}
