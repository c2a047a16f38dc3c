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

package io.github.bloomguard.adding;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.adding.KeyWriter.Addition;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.testsupport.TestTransactions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.ArgumentMatchers.same;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link KeysInTransaction}.
 */
class KeysInTransactionTests {

	private static final Duration LONGEST = Duration.ofSeconds(10);

	private final KeyWriter writer = mock();

	private final MonotonicClock clock = mock();

	private final KeysInTransaction keys = new KeysInTransaction(this.writer, LONGEST);

	@BeforeEach
	void add() {
		given(this.writer.clock()).willReturn(this.clock);
		given(this.writer.writeOrMistrust(any())).willReturn(7L);
		this.keys.follow(Map.of("a", "a"), 5, 0);
	}

	@Test
	void keysAreNotWrittenAgainIfNothingHasHappened() {
		this.keys.beforeCommit();
		this.keys.afterCommit();
		then(this.writer).should(never()).writeOrMistrust(any());
	}

	@Test
	void keysAreWrittenAgainBeforeTheCommitIfTheRecordHasChanged() {
		given(this.writer.hasMovedSince(5)).willReturn(true);
		this.keys.beforeCommit();
		then(this.writer).should().writeOrMistrust(Map.of("a", "a"));
		this.keys.afterCommit();
		then(this.writer).should(times(1)).writeOrMistrust(any());
	}

	@Test
	void rowsAreCommittedAgainWithATransactionWithinWhichThatOfAnotherManagerTookPlace() {
		given(this.writer.name()).willReturn("products");
		given(this.writer.transactionalKeys()).willReturn(this.keys);
		new TransactionTemplate(new TestTransactions(ThreadTransaction.listener(System::nanoTime)))
			.executeWithoutResult((outer) -> {
				new TransactionTemplate(new TestTransactions(ThreadTransaction.listener(System::nanoTime)))
					.executeWithoutResult((inner) -> KeysInTransaction.ofThread(this.writer));
				then(this.writer).should().committed(Map.of("a", "a"));
			});
		then(this.writer).should(times(2)).committed(Map.of("a", "a"));
	}

	@Test
	void keysAreWrittenAgainBeforeTheCommitIfTheyAreOld() {
		given(this.clock.nanoTime()).willReturn(LONGEST.toNanos() / 2);
		this.keys.beforeCommit();
		then(this.writer).should(never()).writeOrMistrust(any());
		given(this.clock.nanoTime()).willReturn(LONGEST.toNanos() / 2 + 1);
		this.keys.beforeCommit();
		then(this.writer).should().writeOrMistrust(Map.of("a", "a"));
	}

	@Test
	void keysAreWrittenAgainBeforeTheCommitIfTheyWereLostWhileAnotherFilterWaited() {
		KeyWriter slow = mock();
		given(this.writer.name()).willReturn("products");
		given(slow.name()).willReturn("slow");
		given(slow.clock()).willReturn(this.clock);
		given(slow.hasMovedSince(5)).willReturn(true);
		given(slow.writeOrMistrust(any())).willAnswer((waited) -> {
			given(this.writer.hasMovedSince(5)).willReturn(true);
			return 7L;
		});
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			for (KeyWriter each : List.of(this.writer, slow)) {
				given(each.transactionalKeys()).willReturn(new KeysInTransaction(each, LONGEST));
				Objects.requireNonNull(KeysInTransaction.ofThread(each)).follow(Map.of("a", "a"), 5, 0);
			}
			TransactionSynchronizationUtils.triggerBeforeCommit(false);
			then(this.writer).should().writeOrMistrust(Map.of("a", "a"));
		}
		finally {
			TransactionSynchronizationManager.clear();
		}
	}

	@Test
	void keysThatAreAddedWhenTheCommitBeginsAreWrittenAgainIfTheyWereLostWhileOthersWereAdded() {
		given(this.writer.name()).willReturn("products");
		given(this.writer.transactionalKeys()).willReturn(this.keys);
		given(this.writer.begin(any(), any()))
			.willReturn(new Addition(Map.of(), 0, CompletableFuture.completedFuture(5L)));
		given(this.writer.end(any())).willReturn(5L);
		WrittenFilter filter = mock();
		willAnswer((call) -> {
			Objects.requireNonNull(KeysInTransaction.ofThread(this.writer)).add(call.getArgument(0));
			return null;
		}).given(filter).add(any());
		willAnswer((call) -> KeysInTransaction.ofThread(this.writer)).given(filter).keysOfThread();
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			ThreadTransaction.beforeCommit(filter, () -> filter.add(List.of("a")));
			ThreadTransaction.beforeCommit(filter, () -> given(this.writer.hasMovedSince(5)).willReturn(true));
			TransactionSynchronizationUtils.triggerBeforeCommit(false);
			then(this.writer).should().writeOrMistrust(Map.of("a", "a"));
		}
		finally {
			TransactionSynchronizationManager.clear();
		}
	}

	@Test
	void keysAreWrittenAgainAfterTheCommitIfTheRecordHasChangedInBetween() {
		this.keys.beforeCommit();
		given(this.writer.hasMovedSince(5)).willReturn(true);
		this.keys.afterCommit();
		then(this.writer).should().writeOrMistrust(Map.of("a", "a"));
	}

	@Test
	void olderKeysAndTheOlderEpochDecide() {
		this.keys.follow(Map.of("b", "b"), 9, LONGEST.toNanos() / 2);
		given(this.clock.nanoTime()).willReturn(LONGEST.toNanos() / 2 + 1);
		this.keys.beforeCommit();
		then(this.writer).should().hasMovedSince(5);
		then(this.writer).should().writeOrMistrust(Map.of("a", "a", "b", "b"));
	}

	@Test
	void keysThatWereWrittenAgainAreYoung() {
		given(this.clock.nanoTime()).willReturn(LONGEST.toNanos());
		this.keys.beforeCommit();
		this.keys.beforeCommit();
		then(this.writer).should(times(1)).writeOrMistrust(any());
		then(this.writer).should().hasMovedSince(7);
	}

	@Test
	void filterIsMistrustedIfCommittedKeysCanNotBeWrittenAgain() {
		KeyNotAddedException failure = new KeyNotAddedException("products", new IllegalStateException("broken"));
		given(this.writer.hasMovedSince(5)).willReturn(true);
		given(this.writer.writeOrMistrust(any())).willThrow(failure);
		this.keys.afterCommit();
		then(this.writer).should().missingAfterCommit(failure);
	}

	@Test
	void committedKeysAreWrittenOnceMoreIfRedisAnswersAfterAll() {
		given(this.writer.hasMovedSince(5)).willReturn(true);
		given(this.writer.writeOrMistrust(any()))
			.willThrow(new KeyNotAddedException("products", new IllegalStateException("stopped")))
			.willReturn(7L);
		given(this.writer.isAnswered()).willReturn(true);
		this.keys.afterCommit();
		then(this.writer).should(never()).missingAfterCommit(any());
		then(this.writer).should().committed(Map.of("a", "a"));
	}

	@Test
	void filterIsMistrustedAgainBeforeAndAfterTheCommitOfARowWhoseKeyIsNull() {
		given(this.writer.begin(any(), any()))
			.willReturn(new Addition(Map.of(), 0, CompletableFuture.completedFuture(5L)));
		this.keys.add(Collections.singletonList(null));
		then(this.writer).should(never()).giveUp(any());
		this.keys.beforeCommit();
		then(this.writer).should().giveUp(any());
		this.keys.afterCommit();
		then(this.writer).should(times(2)).giveUp(any());
	}

	@Test
	void filterIsMistrustedAtOnceAndAroundTheCommitOfARowWhoseKeyIsNotKnown() {
		this.keys.mistrust("insert … select");
		then(this.writer).should().giveUp("insert … select");
		this.keys.beforeCommit();
		then(this.writer).should(times(2)).giveUp(any());
		this.keys.afterCommit();
		then(this.writer).should(times(3)).giveUp(any());
	}

	@Test
	void nothingIsAskedAboutYoungKeysOfWhichNothingIsKnown() {
		given(this.writer.isUnmovedSince(5)).willReturn(true);
		given(this.writer.end(sent("b"))).willReturn(5L);
		given(this.writer.end(sent("c"))).willReturn(5L);
		given(this.clock.nanoTime()).willReturn(LONGEST.toNanos() / 2);
		this.keys.begin(List.of("b"));
		this.keys.begin(List.of("c"));
		this.keys.beforeCommit();
		this.keys.afterCommit();
		then(this.writer).should(times(2)).end(any());
		then(this.writer).should(never()).hasMovedSince(anyLong());
		then(this.writer).should(never()).writeOrMistrust(any());
	}

	@Test
	void keysAreWrittenAgainAfterACommitThatTookLong() {
		given(this.writer.isUnmovedSince(5)).willReturn(true);
		this.keys.beforeCommit();
		then(this.writer).should(never()).hasMovedSince(anyLong());
		given(this.clock.nanoTime()).willReturn(LONGEST.toNanos() / 2 + 1);
		this.keys.afterCommit();
		then(this.writer).should().writeOrMistrust(Map.of("a", "a"));
		then(this.writer).should(never()).hasMovedSince(anyLong());
	}

	@Test
	void epochOfTheOldestKeysIsThatOfAll() {
		given(this.writer.isUnmovedSince(6)).willReturn(true);
		given(this.writer.end(sent("b"))).willReturn(5L);
		given(this.writer.end(sent("c"))).willReturn(6L);
		given(this.writer.hasMovedSince(5)).willReturn(true);
		this.keys.begin(List.of("b"));
		this.keys.begin(List.of("c"));
		this.keys.beforeCommit();
		then(this.writer).should().writeOrMistrust(Map.of("a", "a", "b", "b", "c", "c"));
	}

	@Test
	void keysThatCouldNotBeAddedAreNotForgottenIfTheTransactionGoesOn() {
		given(this.writer.end(sent("b"))).willThrow(new KeyNotAddedException("products", new IllegalStateException()))
			.willReturn(5L);
		given(this.writer.end(sent("c"))).willReturn(5L);
		given(this.writer.hasMovedSince(KeyWriter.NOT_ADDED)).willReturn(true);
		assertThatExceptionOfType(KeyNotAddedException.class)
			.isThrownBy(() -> IntStream.range(0, 100).forEach((i) -> this.keys.begin(List.of("b"))));
		this.keys.begin(List.of("c"));
		this.keys.beforeCommit();
		then(this.writer).should().writeOrMistrust(Map.of("a", "a", "b", "b", "c", "c"));
	}

	@Test
	void transactionOfAnySizeTakesRedisOnlyAFewAdditionsAtATime() {
		Addition addition = new Addition(Map.of("b", "b"), 0, new CompletableFuture<>());
		given(this.writer.begin(any(), any())).willReturn(addition);
		IntStream.range(0, 10).forEach((i) -> this.keys.begin(List.of("b")));
		then(this.writer).should(times(3)).begin(any(), argThat((before) -> before != addition.epoch()));
		then(this.writer).should(times(7)).begin(any(), same(addition.epoch()));
		then(this.writer).should(never()).end(any());
	}

	private Addition sent(String key) {
		Addition addition = new Addition(Map.of(key, key), 0, CompletableFuture.completedFuture(5L));
		given(this.writer.begin(eq(List.of(key)), any())).willReturn(addition);
		return addition;
	}

}
