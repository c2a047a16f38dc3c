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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.adding.KeyRemover;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Standing;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.verifying.FloodWatch;
import io.github.bloomguard.verifying.QuestionRates;
import io.github.bloomguard.warmup.WarmUp;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.InOrder;
import org.mockito.Mockito;

import org.springframework.core.task.TaskRejectedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyCollection;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.description;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link FilterSupervisor}.
 */
class FilterSupervisorTests {

	private static final Duration UPTIME = Duration.ofHours(1);

	private final long started = System.nanoTime() - UPTIME.toNanos();

	private final FilterSettings settings = new FilterSettingsBuilder().build();

	private final GenerationalFilter filter = mock(GenerationalFilter.class);

	private final KeyFormat format = new KeyFormat(List.of());

	private final KeyRemover remover = new KeyRemover("products", this.settings.adding(), this.format, this.filter,
			new SourceAnswers("products", this.format, FilterSources.of(List.of()), () -> false), Runnable::run);

	@Test
	void removalOfAChangeLogCountsFromWhenTheRowWasDeleted() {
		given(this.filter.isDistinct(anyString())).willReturn(true);
		given(this.filter.serverTime()).willAnswer((invocation) -> serverTime(System.nanoTime()));
		given(this.filter.remove(anyCollection(), anyLong(), any())).willReturn(CompletableFuture.completedFuture(1L));
		WrittenFilter written = mock(WrittenFilter.class);
		given(written.removal()).willAnswer((invocation) -> removalAfterAPause());
		long deleted = System.nanoTime() - Duration.ofMinutes(1).toNanos();
		sink(written).remove(List.of(7), deleted);
		ArgumentCaptor<Long> decided = ArgumentCaptor.captor();
		verify(this.filter).remove(anyCollection(), decided.capture(), any());
		assertThat(decided.getValue()).isBetween(serverTime(deleted) - 30_000, serverTime(deleted) + 1);
	}

	@Test
	void removalThatFailedIsWrittenWithTheFilterInItsField() {
		given(this.filter.isDistinct(anyString())).willReturn(true);
		given(this.filter.serverTime()).willReturn(1L);
		CompletableFuture<Long> answer = new CompletableFuture<>();
		given(this.filter.remove(anyCollection(), anyLong(), any())).willReturn(answer);
		this.remover.removal().remove(List.of(7));
		try (LogLines lines = LogLines.of(KeyRemover.class, Level.DEBUG)) {
			answer.completeExceptionally(new IllegalStateException("broken"));
			assertThat(lines.events()).extracting(ILoggingEvent::getMDCPropertyMap)
				.containsOnly(Map.of(LogFields.FILTER, "products"));
		}
	}

	@Test
	void changesAreFollowedAsSoonAsAThreadCanBeStarted() {
		RowFeed changes = mock(RowFeed.class);
		willThrow(new TaskRejectedException("No thread can be started")).willDoNothing().given(changes).start(any());
		ArgumentCaptor<Runnable> refresh = ArgumentCaptor.captor();
		verify(start(changes, mock(WrittenFilter.class))).scheduleWithFixedDelay(refresh.capture(), anyLong(),
				anyLong(), any());
		verify(changes).start(any());
		refresh.getValue().run();
		refresh.getValue().run();
		verify(changes, times(2)).start(any());
	}

	@Test
	void filterThatWasSwitchedOffIsLookedAfterAsIfItWereOn() {
		RowFeed changes = mock(RowFeed.class);
		WarmUp warmUp = mock(WarmUp.class);
		given(this.filter.mode()).willReturn(FilterMode.OFF);
		given(this.filter.isLost()).willReturn(true);
		Runnable supervision = supervision(this.settings, warmUp, changes);
		verify(changes).start(any());
		supervision.run();
		verify(warmUp).mistrustIfDoubtful();
		verify(warmUp).loadIfMissing();
		verify(changes).inspectIfDue();
		verify(this.filter, never()).mistrust(anyString());
	}

	@Test
	void filterThatIsConfiguredOffIsOnlyDoubtedUntilItIsSwitchedOn() {
		RowFeed changes = mock(RowFeed.class);
		WarmUp warmUp = mock(WarmUp.class);
		given(this.filter.mode()).willReturn(FilterMode.OFF);
		given(this.filter.isLost()).willReturn(true);
		Runnable supervision = supervision(new FilterSettingsBuilder().mode(FilterMode.OFF).build(), warmUp, changes);
		supervision.run();
		verify(warmUp).mistrustIfDoubtful();
		verify(warmUp, description("others have to know whose keys are added here")).findOriginIfIdle();
		verify(warmUp, never()).loadIfMissing();
		verify(changes, never()).start(any());
		verify(changes, never()).inspectIfDue();
		given(this.filter.mode()).willReturn(FilterMode.ENFORCE);
		supervision.run();
		InOrder order = inOrder(this.filter, warmUp, changes);
		order.verify(this.filter).mistrust(contains("it was off"));
		order.verify(changes).start(any());
		order.verify(warmUp).loadIfMissing();
		order.verify(changes).inspectIfDue();
	}

	@Test
	void twoRefreshesBeginWhileARecordIsTrusted() {
		assertThat(FilterSupervisor.INTERVAL.multipliedBy(2)).isLessThan(ControlRecord.LEASE);
	}

	/**
	 * Return what a server says that was started with the test's clock.
	 */
	private long serverTime(long nanoTime) {
		return TimeUnit.NANOSECONDS.toMillis(nanoTime - this.started);
	}

	private KeyRemoval removalAfterAPause() {
		CompletableFuture<Long> pause = new CompletableFuture<Long>().completeOnTimeout(0L, 50, TimeUnit.MILLISECONDS);
		return pause.thenApply((over) -> this.remover.removal()).join();
	}

	private RowFeed.Sink sink(WrittenFilter written) {
		RowFeed changes = mock(RowFeed.class);
		start(changes, written);
		ArgumentCaptor<RowFeed.Sink> sink = ArgumentCaptor.captor();
		verify(changes).start(sink.capture());
		return sink.getValue();
	}

	/**
	 * Start the supervision, and return what runs at intervals.
	 */
	private Runnable supervision(FilterSettings settings, WarmUp warmUp, RowFeed changes) {
		ArgumentCaptor<Runnable> supervision = ArgumentCaptor.captor();
		verify(start(settings, warmUp, changes, mock(WrittenFilter.class)))
			.scheduleWithFixedDelay(supervision.capture(), anyLong(), anyLong(), any());
		return supervision.getValue();
	}

	private ScheduledExecutorService start(RowFeed changes, WrittenFilter written) {
		given(this.filter.mode()).willReturn(FilterMode.ENFORCE);
		return start(this.settings, mock(WarmUp.class), changes, written);
	}

	private ScheduledExecutorService start(FilterSettings settings, WarmUp warmUp, RowFeed changes,
			WrittenFilter written) {
		ScheduledExecutorService scheduler = mock(ScheduledExecutorService.class);
		ScheduledFuture<?> refreshes = mock(ScheduledFuture.class);
		given(scheduler.scheduleWithFixedDelay(any(), anyLong(), anyLong(), any())).willAnswer((call) -> refreshes);
		given(this.filter.standing()).willReturn(mock(Standing.class, Mockito.RETURNS_DEEP_STUBS));
		given(this.filter.refreshIfIdle()).willReturn(CompletableFuture.completedFuture(true));
		new FilterSupervisor(new ManagedFilters(List.of(new ManagedFilter(settings, this.filter, mock(FillLevel.class),
				warmUp, mock(GuardedFilter.class), written, mock(FilterStatistics.class), mock(FloodWatch.class),
				() -> new QuestionRates(0, 0, Duration.ZERO), changes))), scheduler)
			.start();
		return scheduler;
	}

}
