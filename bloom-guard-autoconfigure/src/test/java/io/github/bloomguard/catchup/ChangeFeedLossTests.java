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

package io.github.bloomguard.catchup;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.github.bloomguard.catchup.ChangeReader.Changes;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.feed.LostLogException;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for a {@link ChangeFeed} whose filter is lost while it follows, with a log that
 * says a thing once and then nothing any more.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ChangeFeedLossTests {

	private static final FilePosition READ = new FilePosition("log", 20);

	private static final Duration WAIT = Duration.ofMinutes(1);

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	private final StoredClaims claims = new StoredClaims();

	private final AtomicBoolean marked = new AtomicBoolean();

	@Test
	void positionThatWasReadWhileNoGenerationIsActiveIsClaimedForTheNextOne() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 10)).awaitReady()) {
			GenerationalFilter filter = application.products().filter();
			String lost = filter.active().id();
			try (ChangeFeed feed = start(filter, () -> lose(filter))) {
				awaitInspected(feed, () -> !this.claims.moved.isEmpty());
				assertThat(this.claims.moved).first().isNotEqualTo(lost);
			}
		}
	}

	@Test
	void positionThatWasReadBeforeARebuildIsClaimedForTheNewGeneration() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 10)).awaitReady()) {
			GenerationalFilter filter = application.products().filter();
			String first = filter.active().id();
			try (ChangeFeed feed = start(filter, () -> {
			})) {
				Awaitility.await().until(() -> this.claims.moved.contains(first));
				application.guard().rebuild("products").join();
				Awaitility.await().until(() -> !first.equals(filter.active().id()));
				String second = filter.active().id();
				awaitInspected(feed, () -> this.claims.moved.contains(second));
			}
		}
	}

	@Test
	void positionThatAnotherInstanceKeptFromBeingClaimedIsClaimedLater() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 10)).awaitReady()) {
			this.claims.refused.set(1);
			try (ChangeFeed feed = start(application.products().filter(), () -> {
			})) {
				awaitInspected(feed, () -> this.claims.moved.size() == 1);
				assertThat(this.claims.refused).hasValue(0);
			}
		}
	}

	@Test
	void claimOfAGenerationPassesNoBarrierForAnother() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 10)).awaitReady()) {
			GenerationalFilter filter = application.products().filter();
			String first = filter.active().id();
			this.claims.positions.put(first, READ);
			try (ChangeFeed feed = start(filter, Log.ofAnotherInstance(this.marked))) {
				AbsenceBarrier barrier = feed.barrier(Duration.ofMillis(200));
				assertThat(barrier.pass()).succeedsWithin(WAIT).isEqualTo(true);
				application.guard().rebuild("products").join();
				Awaitility.await().until(() -> !first.equals(filter.active().id()));
				assertThat(barrier.pass()).succeedsWithin(WAIT).isEqualTo(false);
			}
		}
	}

	/**
	 * As one that another deployment follows, for a filter of its own.
	 */
	@Test
	void filterThatLacksWhatOfTheLogWasReleasedIsLoadedAgain() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 10)).awaitReady()) {
			GenerationalFilter filter = application.products().filter();
			String first = filter.active().id();
			try (ChangeFeed feed = start(filter, Log.ofAnotherInstance(this.marked))) {
				Awaitility.await().atMost(WAIT).until(() -> {
					feed.inspectIfDue();
					Generation active = filter.active();
					return active != null && !first.equals(active.id());
				});
			}
		}
	}

	@Test
	void recordThatCantBeReadAfterARebuildLosesTheNewGeneration() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 10)).awaitReady()) {
			GenerationalFilter filter = application.products().filter();
			String first = filter.active().id();
			Log log = new Log(() -> {
			}, this.marked);
			try (ChangeFeed feed = start(filter, log)) {
				awaitInspected(feed, () -> this.claims.moved.contains(first));
				application.guard().rebuild("products").join();
				Awaitility.await().until(() -> !first.equals(filter.active().id()));
				String second = filter.active().id();
				log.failure.set(new LostLogException("it is torn"));
				Awaitility.await().atMost(WAIT).until(() -> {
					Generation active = filter.active();
					return active != null && !second.equals(active.id());
				});
			}
		}
	}

	@Test
	void generationThatWasReplacedLosesNothing() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 10)).awaitReady()) {
			GenerationalFilter filter = application.products().filter();
			String first = filter.active().id();
			AtomicReference<String> second = new AtomicReference<>();
			this.claims.gone.set(() -> {
				application.guard().rebuild("products").join();
				Awaitility.await().until(() -> !first.equals(filter.active().id()));
				second.set(filter.active().id());
			});
			CatchUpSource source = mock(CatchUpSource.class);
			given(source.keysAfter(any())).willAnswer((invocation) -> Stream.empty());
			try (ChangeFeed feed = start(filter, new PolledLog(WAIT, source, this.claims))) {
				Awaitility.await().until(() -> feed.progress().following());
				assertThat(filter.active()).extracting(Generation::id).isEqualTo(second.get());
			}
		}
	}

	@Test
	void feedThatIsClosedPassesNoBarrier() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 10)).awaitReady()) {
			CountDownLatch silence = new CountDownLatch(1);
			ChangeFeed feed = start(application.products().filter(), () -> await(silence));
			CompletableFuture<Boolean> passed = feed.barrier(WAIT).pass();
			Awaitility.await().untilTrue(this.marked);
			feed.close();
			assertThat(passed).succeedsWithin(WAIT.dividedBy(2)).isEqualTo(false);
			silence.countDown();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ChangeFeed start(GenerationalFilter filter, Runnable whenFirstRead) {
		return start(filter, new Log(whenFirstRead, this.marked));
	}

	private ChangeFeed start(GenerationalFilter filter, ChangeLog log) {
		ChangeFeed feed = new ChangeFeed("products", () -> log, this.claims, filter, true,
				new SimpleAsyncTaskExecutor());
		feed.start(new NoSink());
		return feed;
	}

	private static void awaitInspected(ChangeFeed feed, BooleanSupplier condition) {
		Awaitility.await().until(() -> {
			feed.inspectIfDue();
			return condition.getAsBoolean();
		});
	}

	private static void lose(GenerationalFilter filter) {
		filter.mistrust("it is lost");
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> filter.active() == null);
	}

	/**
	 * Has one position to report.
	 */
	private static final class Log implements ChangeLog {

		private final Runnable whenFirstRead;

		private volatile boolean read;

		private final AtomicBoolean marked;

		final AtomicReference<RuntimeException> failure = new AtomicReference<>();

		Log(@Nullable Runnable whenFirstRead, AtomicBoolean marked) {
			this.whenFirstRead = whenFirstRead;
			this.marked = marked;
		}

		static Log ofAnotherInstance(AtomicBoolean marked) {
			return new Log(null, marked);
		}

		@Override
		public LogPosition begin() {
			return new FilePosition("log", 10);
		}

		@Override
		public Optional<ChangeReader> follow(LogPosition reached) {
			return (this.whenFirstRead != null) ? Optional.of(new Reader(this, reached)) : Optional.empty();
		}

		@Override
		public LogPosition mark(LogPosition reached) {
			this.marked.set(true);
			return READ;
		}

		@Override
		public FeedStatus status(LogPosition reached) {
			return new FeedStatus("log", "reader", READ, 0, 0);
		}

		void beRead() {
			if (!this.read) {
				this.read = true;
				this.whenFirstRead.run();
			}
		}

	}

	private static final class Reader implements ChangeReader {

		private final Log log;

		private final LogPosition start;

		private final CountDownLatch closed = new CountDownLatch(1);

		private boolean reported;

		Reader(Log log, LogPosition start) {
			this.log = log;
			this.start = start;
		}

		@Override
		public LogPosition start() {
			return this.start;
		}

		@Override
		public Changes next() throws InterruptedException {
			RuntimeException failure = this.log.failure.getAndSet(null);
			if (failure != null) {
				throw failure;
			}
			if (!this.reported) {
				this.reported = true;
				this.log.beRead();
				return new Changes(List.of(), List.of(), READ, 0);
			}
			if (this.closed.await(100, TimeUnit.MILLISECONDS)) {
				throw new IllegalStateException("closed");
			}
			return new Changes(List.of(), List.of(), null, 0);
		}

		@Override
		public String identity() {
			return "reader";
		}

		@Override
		public void close() {
			this.closed.countDown();
		}

	}

	/**
	 * Each generation has its first checkpoint until that is moved.
	 */
	private static final class StoredClaims implements CheckpointStore {

		final Queue<String> moved = new ConcurrentLinkedQueue<>();

		final Map<String, LogPosition> positions = new ConcurrentHashMap<>();

		final AtomicInteger refused = new AtomicInteger();

		/**
		 * Removes the generation that is read first.
		 */
		final AtomicReference<Runnable> gone = new AtomicReference<>();

		@Override
		public CompletableFuture<Boolean> start(String generation, Checkpoint checkpoint) {
			return CompletableFuture.completedFuture(true);
		}

		@Override
		public CompletableFuture<Optional<Checkpoint>> read(String generation) {
			Runnable gone = this.gone.getAndSet(null);
			if (gone != null) {
				gone.run();
				return CompletableFuture.completedFuture(Optional.empty());
			}
			LogPosition position = this.positions.getOrDefault(generation, new FilePosition("log", 10));
			return CompletableFuture.completedFuture(Optional.of(position.checkpoint()));
		}

		@Override
		public CompletableFuture<Boolean> move(String generation, Checkpoint from, Checkpoint to) {
			if (this.refused.getAndUpdate((left) -> Math.max(left - 1, 0)) > 0) {
				return CompletableFuture.completedFuture(false);
			}
			this.moved.add(generation);
			return CompletableFuture.completedFuture(true);
		}

		@Override
		public CompletableFuture<Duration> takeTurn(Duration interval) {
			return CompletableFuture.completedFuture(Duration.ZERO);
		}

	}

	private static final class NoSink implements ChangeFeed.Sink {

		@Override
		public void add(List<?> keys) {
			// has them
		}

		@Override
		public void remove(List<?> keys, long since) {
			// has none
		}

	}

}
