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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.ControlStore.MirrorLease;
import io.github.bloomguard.generation.ControlStore.Renewal;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.instance.Mirrors.Refreshed;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.SettableClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link OwnMirror} with a Redis whose answers are there at once.
 */
@ExtendWith(OutputCaptureExtension.class)
class OwnMirrorTests {

	private final ControlStore control = mock();

	private final MirrorChannel channel = mock();

	private final StoredFilter bits = mock();

	private final SettableClock clock = new SettableClock();

	private final ActiveGeneration active = new ActiveGeneration(new Generation("id",
			new FilterSpecification("products", 1000, 0.01), 1000, "salt", "origin", Instant.EPOCH, Phase.ACTIVE),
			this.bits);

	private CompletableFuture<Void> messages = CompletableFuture.completedFuture(null);

	private final OwnMirror keeper = new OwnMirror(this.control,
			new FilterSettingsBuilder().mirrorMemory(1_000_000)
				.longestAdd(Duration.ofSeconds(1))
				.journalRetention(Duration.ofMinutes(10))
				.build(),
			() -> this.messages, this.clock, () -> {
			});

	private boolean listed = true;

	private long journalSince = 1;

	private long now = 10_000;

	private List<String> journal = List.of();

	private Set<String> removed = Set.of();

	private String last = "9500-0";

	@BeforeEach
	void answer() {
		given(this.control.channel()).willReturn(this.channel);
		given(this.channel.instance()).willReturn("this");
		given(this.channel.announceEnd(any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.bits.copy(any())).willAnswer((invocation) -> Optional.of(new SetCopy()));
		given(this.control.acquireMirrorLease(any()))
			.willReturn(CompletableFuture.completedFuture(new MirrorLease(new JournalPosition(9_000, 0), 1, this.now)));
		given(this.control.releaseMirrorLease(any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.control.refresh(any(Evidence.class)))
			.willAnswer((invocation) -> CompletableFuture.completedFuture(record()));
		given(this.control.refresh(any(Evidence.class), any(), any()))
			.willAnswer(
					(invocation) -> CompletableFuture.completedFuture(
							new Renewal(record(), this.listed,
									new JournalPage(this.journal, this.removed,
											(this.journal.isEmpty() && this.removed.isEmpty()) ? "" : this.last),
									false)));
	}

	@Test
	void mirrorHasWhatTheJournalHadWhenTheRecordWasRead() {
		this.keeper.follow(this.active);
		this.journal = List.of("a");
		Mirror mirror = refresh();
		assertThat(mirror.isComplete()).isTrue();
		assertThat(mirror.mightContain("a")).isTrue();
		then(this.control).should().refresh(any(Evidence.class), any(), any());
		then(this.channel).should().announce(mirror.holder(), new JournalPosition(9_500, 0));
	}

	@Test
	void whatAMessageHasToldIsNotAnnounced() {
		this.keeper.follow(this.active);
		this.journal = List.of("a");
		assertThat(this.keeper.current().add(List.of("a"))).isTrue();
		refresh();
		then(this.channel).should(never()).announce(any(), any());
	}

	@Test
	void addsThatWaitAreToldOfTheEndWhenNobodyFindsTheMirrorAnyMore() {
		CompletableFuture<Void> left = new CompletableFuture<>();
		given(this.control.releaseMirrorLease(any())).willReturn(left);
		Mirror mirror = made();
		CompletableFuture<Void> closed = this.keeper.close();
		then(this.channel).should(never()).announceEnd(any());
		left.complete(null);
		then(this.channel).should().announceEnd(mirror.holder());
		assertThat(closed).isCompleted();
	}

	@Test
	void mirrorThatCanNotBeMadeWhileTheApplicationClosesIsNoNews(CapturedOutput output) {
		this.messages = new CompletableFuture<>();
		this.keeper.follow(this.active);
		this.keeper.close();
		this.messages.completeExceptionally(new IllegalStateException());
		assertThat(output).doesNotContain("could not be made");
	}

	@Test
	void keyThatWasRemovedIsAbsentWhenNoAddCanFollowInTheJournal() {
		Mirror mirror = made();
		read(List.of("a", "b"), Set.of("a"), "9500-0");
		assertThat(mirror.mightContain("a")).isTrue();
		read(List.of(), Set.of(), "");
		assertThat(mirror.mightContain("a")).isFalse();
		assertThat(mirror.mightContain("b")).isTrue();
		assertThat(mirror.add(List.of("a"))).as("its add waits for this mirror").isTrue();
		assertThat(mirror.mightContain("a")).isTrue();
	}

	@Test
	void whatWasRemovedBeforeTheMirrorWasMadeIsNotBelieved() {
		this.keeper.follow(this.active);
		this.journal = List.of("a");
		this.removed = Set.of("a");
		Mirror mirror = refresh();
		read(List.of(), Set.of(), "");
		read(List.of(), Set.of(), "");
		assertThat(mirror.mightContain("a")).isTrue();
	}

	@Test
	void keyThatWasAddedAgainIsFoundThoughAMessageOvertookItsRemoval() {
		Mirror mirror = made();
		mirror.add(List.of("a"));
		read(List.of(), Set.of("a"), "9500-0");
		assertThat(mirror.mightContain("a")).isTrue();
		read(List.of("a"), Set.of(), "9600-0");
		read(List.of(), Set.of(), "");
		assertThat(mirror.mightContain("a")).isTrue();
	}

	@Test
	void removalThatASlowRefreshHasReadIsIgnored() {
		Mirror mirror = made();
		CompletableFuture<Renewal> slow = new CompletableFuture<>();
		given(this.control.refresh(any(Evidence.class), any(), any())).willReturn(slow);
		CompletableFuture<Refreshed> hung = this.keeper.refresh(Evidence.NONE);
		answer();
		read(List.of("a"), Set.of(), "9700-0");
		slow.complete(new Renewal(record(), true, new JournalPage(List.of(), Set.of("a"), "9600-0"), false));
		assertThat(hung).isDone();
		read(List.of(), Set.of(), "");
		assertThat(mirror.mightContain("a")).isTrue();
	}

	private void read(List<String> added, Set<String> removed, String last) {
		this.journal = added;
		this.removed = removed;
		this.last = last;
		refresh();
	}

	@Test
	void mirrorThatIsNotListedAnyMoreEnds() {
		Mirror mirror = made();
		this.listed = false;
		assertEnded(mirror);
	}

	@Test
	void mirrorEndsWithTheJournal() {
		Mirror mirror = made();
		this.journalSince = 2;
		assertEnded(mirror);
	}

	@Test
	void mirrorEndsWhenTheJournalMayHaveBeenTrimmedPastIt() {
		Mirror mirror = made();
		this.now += Duration.ofMinutes(10).toMillis();
		assertEnded(mirror);
	}

	@Test
	void mirrorEndsWhenTheMachineHasSlept() {
		Mirror mirror = made();
		this.clock.fallBehindTimeOfDay(Duration.ofSeconds(1));
		assertEnded(mirror);
		assertThat(this.keeper.problem()).isEqualTo("the clock has jumped");
		this.keeper.follow(this.active);
		assertThat(refresh()).isNotNull().isNotSameAs(mirror);
	}

	@Test
	void mirrorEndsWithItsGeneration() {
		Mirror mirror = made();
		this.keeper.follow(null);
		assertThat(mirror.isEnded()).isTrue();
		assertThat(refresh()).isNull();
	}

	@Test
	void mirrorWithoutMessagesIsNotMadeAndIsTriedAgainLater() {
		this.messages = CompletableFuture.failedFuture(new IllegalStateException("there are no messages"));
		this.keeper.follow(this.active);
		this.keeper.follow(this.active);
		assertThat(this.keeper.current()).isNull();
		assertThat(this.keeper.problem()).contains("there are no messages");
		then(this.control).should(never()).acquireMirrorLease(any());
		this.messages = CompletableFuture.completedFuture(null);
		this.clock.pass(Duration.ofSeconds(6));
		this.keeper.follow(this.active);
		assertThat(refresh()).isNotNull();
		assertThat(this.keeper.problem()).isNull();
	}

	@Test
	void withoutMemoryThereIsNoMirror() {
		given(this.bits.copy(any())).willThrow(new OutOfMemoryError("on purpose"));
		this.keeper.follow(this.active);
		assertThat(this.keeper.current()).isNull();
		assertThat(this.keeper.problem()).isEqualTo("there is no memory for it");
		then(this.control).should(never()).acquireMirrorLease(any());
	}

	@Test
	void filterThatIsTooLargeForAMirrorSaysSoOnceWithBothFigures(CapturedOutput output) {
		OwnMirror small = new OwnMirror(this.control, new FilterSettingsBuilder().mirrorMemory(1024).build(),
				() -> this.messages, this.clock, () -> {
				});
		small.follow(this.active);
		small.follow(null);
		small.follow(this.active);
		assertThat(small.current()).isNull();
		assertThat(small.problem()).isEqualTo("it is larger than mirror.max-memory");
		assertThat(output).containsOnlyOnce("WARN")
			.containsOnlyOnce("The filter 'products' takes 1,199 bytes, and"
					+ " bloom-guard.filters.products.mirror.max-memory is 1,024 bytes, so this instance has no mirror")
			.contains("Set bloom-guard.filters.products.mirror.max-memory to at least 1MB");
	}

	@Test
	void mirrorThatIsClosedLeavesAndIsNotMadeAgain() {
		Mirror mirror = made();
		assertThat(this.keeper.close()).isCompleted();
		assertThat(mirror.isEnded()).isTrue();
		then(this.control).should(times(1)).releaseMirrorLease(mirror.holder());
		this.keeper.follow(this.active);
		assertThat(this.keeper.current()).isNull();
	}

	private Mirror made() {
		this.keeper.follow(this.active);
		Mirror mirror = refresh();
		assertThat(mirror).isNotNull();
		return mirror;
	}

	private void assertEnded(Mirror mirror) {
		assertThat(refresh()).isNull();
		assertThat(mirror.isEnded()).isTrue();
		assertThat(this.keeper.current()).isNull();
		then(this.control).should().releaseMirrorLease(mirror.holder());
	}

	private Mirror refresh() {
		return this.keeper.refresh(Evidence.NONE).join().mirror();
	}

	private ControlRecord record() {
		return new ControlRecord(1, List.of(this.active.generation()), Trust.NONE, true, this.journalSince,
				JournalPosition.START, this.now, 1, 0, null);
	}

}
