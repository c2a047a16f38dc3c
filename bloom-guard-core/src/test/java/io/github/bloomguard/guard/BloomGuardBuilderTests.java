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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.AddedKeysListener;
import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeyEquality.Spelling;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.source.SourceOrigin;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import io.github.bloomguard.testsupport.LogLines;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for a guard that is made by hand.
 */
class BloomGuardBuilderTests {

	private final Set<Long> rows = ConcurrentHashMap.newKeySet();

	private final AtomicInteger loads = new AtomicInteger();

	@Test
	void definiteMissesAreAnsweredWithoutALoad() {
		this.rows.addAll(List.of(1L, 2L));
		try (RunningBloomGuard running = start(Mode.OFF)) {
			assertThat(running.guard().<Long, RuntimeException>get("products", 1L, () -> find(1L))).isEqualTo(1L);
			assertThat(running.guard().<Long, RuntimeException>get("products", 3L, () -> find(3L))).isNull();
			assertThat(this.loads).hasValue(1);
			running.guard().add("products", 3L);
			this.rows.add(3L);
			assertThat(running.guard().<Long, RuntimeException>get("products", 3L, () -> find(3L))).isEqualTo(3L);
		}
	}

	@Test
	void rowOfAWriterThatSaysNothingIsFound() {
		this.rows.add(1L);
		try (RunningBloomGuard running = start(Mode.BEFORE)) {
			this.rows.add(3L);
			assertThat(running.guard().<Long, RuntimeException>get("products", 3L, () -> find(3L))).isEqualTo(3L);
		}
	}

	/**
	 * As by a migration that is run as a job, of which no instance is told.
	 */
	@Test
	void rowsOfAMigrationAreFoundThatIsRunWhileTheGuardIsRunning() {
		this.rows.add(1L);
		Migrated source = new Migrated(this.rows);
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 1_000)
			.source(source)
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 10, 0);
		try (RunningBloomGuard running = started(builder)) {
			assertThat(running.guard().membership("products", 3L)).isEqualTo(Membership.ABSENT);
			this.rows.add(3L);
			source.version.incrementAndGet();
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(running.guard().membership("products", 3L)).isEqualTo(Membership.MAYBE));
			assertThat(running.guard().membership("products", 4L)).isEqualTo(Membership.ABSENT);
			assertThat(source.databases).hasValue(2);
		}
	}

	/**
	 * Nearly all absent keys pass the first generation, which is as large as was
	 * expected.
	 */
	@Test
	void filterThatIsLoadedWithTenTimesAsManyKeysAsExpectedIsFollowedByOneThatIsLargeEnough() {
		LongStream.range(0, 10_000).forEach(this.rows::add);
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 1_000)
			.keys("product.id", this.rows::stream)
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 10, 0);
		try (RunningBloomGuard running = started(builder)) {
			Awaitility.await().untilAsserted(() -> {
				assertThat(LongStream.range(10_000, 11_000)
					.filter((key) -> running.guard().membership("products", key) == Membership.ABSENT)
					.count()).isGreaterThan(980);
				Generation active = running.filters().require("products").filter().active();
				assertThat(active).isNotNull();
				assertThat(active.specification().expectedInsertions()).isBetween(12_000L, 18_000L);
			});
		}
	}

	@Test
	void keysOfAnotherVersionAreLoadedAnewUnlessBothSayThatTheyAreTheSame() {
		MemoryBackend backend = new MemoryBackend();
		start(backend, (filter) -> filter.keys(() -> Stream.of("sku-1")), "sku-1").close();
		start(backend, (filter) -> filter.keys(() -> Stream.of(1L)), 1L).close();
		start(backend, (filter) -> filter.keys("product.sku", () -> Stream.of("sku-1")), "sku-1").close();
		start(backend, (filter) -> filter.keys("product.id", () -> Stream.of(1L)), 1L).close();
		start(backend, (filter) -> filter.keys("product.id", () -> {
			throw new IllegalStateException("loaded again");
		}), 1L).close();
	}

	/**
	 * As an anonymous class has, or one with a query in its code.
	 */
	@Test
	void sourceOfTheSameClassWithOtherCodeIsAnotherOne() throws ReflectiveOperationException {
		MemoryBackend backend = new MemoryBackend();
		KeySource former = sourceOf(1L);
		KeySource next = sourceOf(2L);
		assertThat(next.fingerprint()).isEqualTo(former.fingerprint());
		start(backend, (filter) -> filter.source(former), 1L).close();
		start(backend, (filter) -> filter.source(next), 2L).close();
	}

	private static KeySource sourceOf(long key) throws ReflectiveOperationException {
		return new ByteBuddy().subclass(AbstractSource.class)
			.name("app.Sources$1")
			.method(ElementMatchers.named("key"))
			.intercept(FixedValue.value(key))
			.make()
			.load(BloomGuardBuilderTests.class.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER_PERSISTENT)
			.getLoaded()
			.getDeclaredConstructor()
			.newInstance();
	}

	/**
	 * Start one instance after another, and wait until a key that its source has is
	 * there, which is never absent before.
	 */
	private static RunningBloomGuard start(MemoryBackend backend, Consumer<BloomGuardBuilder.Filter> source,
			Object key) {
		BloomGuardBuilder builder = new BloomGuardBuilder(backend);
		BloomGuardBuilder.Filter filter = builder.filter("products", 1_000)
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 10, 0);
		source.accept(filter);
		RunningBloomGuard running = builder.start();
		Awaitility.await().pollInterval(Duration.ofMillis(1)).atMost(Duration.ofSeconds(30)).until(() -> {
			Membership answer = running.guard().membership("products", key);
			assertThat(answer).isNotEqualTo(Membership.ABSENT);
			return answer == Membership.MAYBE;
		});
		return running;
	}

	@Test
	void keyIsAbsentOnlyIfThatIsCertain() {
		this.rows.add(1L);
		try (RunningBloomGuard running = start(Mode.OFF)) {
			BloomGuard guard = running.guard();
			assertThat(guard.isAbsent("products", 1L)).isFalse();
			assertThat(guard.isAbsent("products", 2L)).isTrue();
			assertThat(guard.isAbsent("products", null)).isFalse();
			running.filters().written("products").mistrust("on purpose");
			Awaitility.await().until(() -> !guard.isAbsent("products", 2L));
		}
	}

	@Test
	void keyIsEqualToWhatAnySourceCallsEqual() {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 1_000)
			.source(new Names("Bob", Difference.CASE))
			.source(new Names("Carl", Difference.TRAILING_BLANKS))
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 10, 0);
		try (RunningBloomGuard running = started(builder)) {
			for (String name : List.of("Bob", "BOB", "bob ", "carl  ")) {
				assertThat(running.guard().membership("products", name)).as(name).isEqualTo(Membership.MAYBE);
			}
			assertThat(running.guard().membership("products", "Dora")).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void filterOfTextsThatCantBeToldApartSaysSo() {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 1_000).source(new Names("Bob", Difference.ANY)).settle(Duration.ZERO);
		try (LogLines lines = LogLines.of(SourceOrigin.class, Level.WARN);
				RunningBloomGuard running = builder.start()) {
			assertThat(running.guard().mightContain("products", "Carl")).isTrue();
			Awaitility.await()
				.untilAsserted(() -> assertThat(lines.lines()).singleElement()
					.asString()
					.contains("The filter 'products' never calls a key absent"));
		}
	}

	@Test
	void keyOfWhichNothingIsKnownYetIsNotCalledUncertain() {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		CountDownLatch reachable = new CountDownLatch(1);
		builder.filter("products", 1_000)
			.source(new LateDatabase(reachable))
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO);
		try (RunningBloomGuard running = builder.start();
				LogLines lines = LogLines.of(SourceAnswers.class, Level.INFO)) {
			assertThat(running.guard().<Long, RuntimeException>get("products", 3L, () -> find(3L))).isNull();
			assertThat(lines.lines()).isEmpty();
			reachable.countDown();
			Awaitility.await().untilAsserted(() -> {
				running.guard().get("products", "3abc", () -> null);
				assertThat(lines.lines()).singleElement().asString().contains("lets keys pass", "java.lang.String");
			});
		}
	}

	@Test
	void keyOfWhichNothingIsCertainIsRememberedByItsOwnTextUntilAKeyIsAdded() {
		this.rows.add(3L);
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 1_000)
			.source(new LateDatabase(new CountDownLatch(0)))
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 10, 0);
		try (RunningBloomGuard running = started(builder)) {
			assertThat(loadsOf(running, "3abc", "3abc", "3abc")).isOne();
			assertThat(loadsOf(running, "3abd", "3abc", "x".repeat(200), "x".repeat(200))).isEqualTo(2);
			assertThat(running.filters().require("products").statistics().count(Outcome.UNCERTAIN)).isEqualTo(3);
			assertThat(running.filters().require("products").statistics().count(Outcome.FALSE_POSITIVE)).isZero();
			running.guard().add("products", 4L);
			assertThat(loadsOf(running, "3abc", "3abc")).as("the new row may be its").isEqualTo(2);
		}
	}

	@Test
	void keyThatIsWrittenInAnotherWayIsRememberedByItsOwnText() {
		this.rows.add(7L);
		try (RunningBloomGuard running = start(Mode.OFF)) {
			assertThat(loadsOf(running, "007", "007", " 7", " 7", "7.0")).isEqualTo(3);
			assertThat(running.guard().<Long, RuntimeException>get("products", 7L, () -> find(7L))).isEqualTo(7L);
			running.guard().add("products", "7.00");
			assertThat(loadsOf(running, "007", " 7")).as("it may be the new row").isEqualTo(2);
		}
	}

	@Test
	void textOfATextColumnIsAbsentIfOnlyItsNumberIsThere() {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 1_000)
			.source(new Texts("4711", Spelling.TEXT))
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 10, 0);
		builder.filter("orders", 1_000)
			.source(new Texts("4711", Spelling.NUMBER))
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 10, 0);
		try (RunningBloomGuard running = started(builder)) {
			Awaitility.await().until(() -> running.filters().require("orders").filter().state() == FilterState.READY);
			for (String text : List.of("004711", "4711.0", " 4711", "4711abc")) {
				assertThat(running.guard().membership("products", text)).as(text).isEqualTo(Membership.ABSENT);
				assertThat(running.guard().membership("orders", text)).as(text).isEqualTo(Membership.MAYBE);
			}
			running.guard().add("products", "004711");
			assertThat(running.guard().membership("products", "004711")).isEqualTo(Membership.MAYBE);
			assertThat(running.guard().membership("products", "04711")).isEqualTo(Membership.ABSENT);
		}
	}

	private int loadsOf(RunningBloomGuard running, Object... keys) {
		int before = this.loads.get();
		for (Object key : keys) {
			assertThat(running.guard().<Long, RuntimeException>get("products", key, () -> find(-1))).isNull();
		}
		return this.loads.get() - before;
	}

	@Test
	void listenerIsToldOfKeysThatAreAddedOrAboutToBeLookedUpAnew() {
		List<Object> told = new CopyOnWriteArrayList<>();
		BloomGuardBuilder builder = builder(Mode.BEFORE).timeout(Duration.ofSeconds(10))
			.listener((filter, keys) -> told.addAll(keys));
		try (RunningBloomGuard running = started(builder)) {
			running.guard().add("products", 3L);
			assertThat(told).containsExactly(3L, "3");
			running.guard().<Long, RuntimeException>get("products", 4L, () -> {
				assertThat(told).endsWith(4L, "4");
				return find(4L);
			});
			assertThat(this.loads).hasValue(1);
		}
	}

	/**
	 * It may be one of a bean that is still being made, which a listener needs.
	 */
	@Test
	void callThatPassesMakesNoListener() {
		this.rows.add(1L);
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend()).listener(new ListenerInTheMaking());
		builder.filter("products", 1_000)
			.keys(this.rows::stream)
			.emptyTtl(Duration.ZERO)
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 10, 0);
		try (RunningBloomGuard running = started(builder)) {
			assertThat(running.guard().<Long, RuntimeException>get("products", 1L, () -> find(1L))).isEqualTo(1L);
		}
	}

	@Test
	void nothingRunsWhenItIsClosed() {
		RunningBloomGuard running = start(Mode.OFF);
		running.close();
		Awaitility.await()
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("bloom-guard-scheduler-")));
	}

	@Test
	void wrongSettingsAreRefused() {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 0);
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(builder::start)
			.withMessageContaining("expected-insertions is 0");
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> builder.filter("products", 1))
			.withMessageContaining("two filters with the name 'products'");
	}

	private RunningBloomGuard start(Mode mode) {
		return started(builder(mode));
	}

	private BloomGuardBuilder builder(Mode mode) {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 1_000)
			.keys(this.rows::stream)
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.recheckEmpty(Duration.ZERO)
			.verification(mode, 10, 0);
		return builder;
	}

	private static RunningBloomGuard started(BloomGuardBuilder builder) {
		RunningBloomGuard running = builder.start();
		running.loaded().join();
		Awaitility.await().until(() -> running.filters().require("products").filter().state() == FilterState.READY);
		return running;
	}

	private Long find(long id) {
		this.loads.incrementAndGet();
		return this.rows.contains(id) ? id : null;
	}

	private record LateDatabase(CountDownLatch reachable) implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.of(1L);
		}

		@Override
		public String database() {
			try {
				this.reachable.await();
				return "late";
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public Optional<KeyEquality> equality() {
			return Optional.of(new KeyEquality() {

				@Override
				public Set<Difference> ignored() {
					return EXACT;
				}

				@Override
				public boolean tellsApart(List<?> key) {
					return LateDatabase.this.reachable.getCount() == 0 && key.get(0) instanceof Long;
				}

			});
		}

	}

	private record Migrated(Set<Long> rows, AtomicInteger version, AtomicInteger databases) implements KeySource {

		Migrated(Set<Long> rows) {
			this(rows, new AtomicInteger(1), new AtomicInteger());
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return this.rows.stream();
		}

		@Override
		public String database() {
			this.databases.incrementAndGet();
			return "shop";
		}

		@Override
		public String schemaVersion() {
			return "V" + this.version;
		}

	}

	public abstract static class AbstractSource implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.of(key());
		}

		protected abstract long key();

	}

	private record Names(String name, Difference ignored) implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.of(this.name);
		}

		@Override
		public Optional<KeyEquality> equality() {
			return Optional.of(() -> Set.of(this.ignored));
		}

	}

	private record Texts(String text, Spelling spelling) implements KeySource, KeyEquality {

		@Override
		public String filter() {
			return (this.spelling == Spelling.TEXT) ? "products" : "orders";
		}

		@Override
		public Stream<?> keys() {
			return Stream.of(this.text);
		}

		@Override
		public Optional<KeyEquality> equality() {
			return Optional.of(this);
		}

		@Override
		public Set<Difference> ignored() {
			return EXACT;
		}

		@Override
		public List<Spelling> spellings() {
			return List.of(this.spelling);
		}

	}

	private static final class ListenerInTheMaking implements AddedKeysListener {

		@Override
		public boolean supports(String filter) {
			throw new IllegalStateException("not made yet");
		}

		@Override
		public void onKeysAdded(String filter, Collection<?> keys) {
		}

	}

}
