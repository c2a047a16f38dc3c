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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.bloomguard.AddedKeysListener;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.filter.FilterSettings.AddFailure;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.TooManyKeysException;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.ListenerChain;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.LogLines;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link KeyWriter}.
 */
class KeyWriterTests {

	private static final List<@Nullable Object> WITH_NULL = Arrays.asList(1, null);

	private final GenerationalFilter filter = mock();

	private final List<AddedKeysListener> listeners = new ArrayList<>();

	@Test
	void keyThatIsNullFailsBeforeTheOthersAreSent() {
		KeyWriter writer = writer(AddFailure.FAIL);
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> writer.add(WITH_NULL))
			.withMessageContaining("flush the session, or MyBatis' batch, and take it from #result, without 'before'");
		assertThatExceptionOfType(KeyNotAddedException.class)
			.isThrownBy(() -> writer.transactionalKeys().begin(Collections.singletonList(null)));
		then(this.filter).should(never()).add(any());
	}

	@Test
	void filterIsMistrustedForAKeyThatIsNullAndTheOthersAreAdded() {
		writer(AddFailure.MISTRUST).add(WITH_NULL);
		then(this.filter).should().mistrust(any());
		then(this.filter).should().add(Set.of("1"));
	}

	@Test
	void eachFilterSaysThatCommittedKeysMayBeMissing() {
		KeyNotAddedException failure = new KeyNotAddedException("products", new IllegalStateException("broken"));
		try (LogLines lines = LogLines.of(KeyWriter.class, Level.INFO)) {
			writer(AddFailure.FAIL).missingAfterCommit(failure);
			writer(AddFailure.FAIL).missingAfterCommit(failure);
			assertThat(lines.events()).hasSize(2)
				.extracting(ILoggingEvent::getMDCPropertyMap)
				.containsOnly(Map.of(LogFields.FILTER, "products"));
		}
		then(this.filter).should(times(2)).mistrust(any());
	}

	@Test
	void choiceBetweenRefusedRowsAndAMistrustedFilterIsToldOnceWhenAnAddFails() {
		KeyWriter writer = writer(AddFailure.FAIL);
		given(this.filter.add(any()))
			.willReturn(CompletableFuture.failedFuture(new IllegalStateException("connection refused")));
		try (LogLines lines = LogLines.of(KeyWriter.class, Level.ERROR)) {
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> writer.add(List.of(7)))
					.withMessageContainingAll("bloom-guard.filters.products.add-failure: with 'fail', the default",
							"with 'mistrust' the row is written");
			}
			assertThat(lines.lines()).singleElement()
				.asString()
				.contains("so the call fails, and its transaction is rolled back",
						"bloom-guard.filters.products.add-failure: fail, the default",
						"With mistrust, rows are written, and the filter lets all calls through until it has been"
								+ " rebuilt",
						"connection refused");
		}
	}

	@Test
	void moreKeysThanRedisTakesInTimeAreToBeFewerOrToHaveMoreTime() {
		assertThat(new KeyNotAddedException("products", new TimeoutException()))
			.hasMessageContaining("Mend it, add fewer in a transaction, raise bloom-guard.add-timeout, or choose what");
	}

	@Test
	void keysThatAreTooManySayHowManyMayBeAdded() {
		TooManyKeysException tooMany = mock();
		given(tooMany.getMessage()).willReturn("9 are too many to be added together. Add at most 7 together");
		KeyWriter writer = writer(AddFailure.FAIL);
		given(this.filter.add(any())).willReturn(CompletableFuture.failedFuture(tooMany));
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> writer.add(List.of(7L)))
			.withMessageContaining("'products', because 9 are too many to be added together. Add at most 7 together")
			.withCause(tooMany);
	}

	@Test
	void addFailsIfAListenerMayGoOnCallingTheKeyAbsent() {
		List<Object> told = new ArrayList<>();
		this.listeners.add((filter, keys) -> {
			throw new IllegalStateException("broken");
		});
		this.listeners.add((filter, keys) -> told.addAll(keys));
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> writer(AddFailure.FAIL).add(List.of(7L)))
			.withMessageContaining("KeyWriterTests")
			.withMessageContaining("broken")
			.withCauseInstanceOf(IllegalStateException.class);
		assertThat(told).as("told although another one has failed").containsExactly(7L, "7");
		then(this.filter).should(never()).mistrust(any());
		writer(AddFailure.MISTRUST).add(List.of(7L));
		then(this.filter).should().mistrust(any());
	}

	@Test
	void failureOfAListenerIsNamedAlsoIfItSaysNothing() {
		this.listeners.add((filter, keys) -> CompletableFuture.failedFuture(new TimeoutException()).join());
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> writer(AddFailure.FAIL).add(List.of(7L)))
			.withMessageContaining("has failed: java.util.concurrent.TimeoutException. Mend that");
	}

	@Test
	void listenersAreToldOfKeysThatTheFilterHas() {
		List<Object> told = new ArrayList<>();
		this.listeners.add((filter, keys) -> told.addAll(keys));
		KeyWriter writer = writer(AddFailure.FAIL);
		CompletableFuture<Long> sent = new CompletableFuture<>();
		given(this.filter.add(any())).willReturn(sent)
			.willReturn(CompletableFuture.failedFuture(new IllegalStateException()));
		given(this.filter.isUnmovedSince(5)).willReturn(true);
		KeysInTransaction keys = writer.transactionalKeys();
		keys.begin(List.of(List.of("a ", 1)));
		assertThat(told).isEmpty();
		sent.complete(5L);
		keys.beforeCommit();
		assertThat(told).containsExactly(List.of("a ", 1), List.of("a", "1"));
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> writer.add(List.of(8)));
		assertThat(told).hasSize(2);
	}

	@Test
	void keyGetsItsFormOnceWhateverIsToldOfIt() {
		this.listeners.add((filter, keys) -> assertThat(List.<Object>copyOf(keys)).hasSize(2).endsWith("7"));
		AtomicInteger conversions = new AtomicInteger();
		KeyConverter<Sku> converter = new KeyConverter<>() {

			@Override
			public Class<Sku> type() {
				return Sku.class;
			}

			@Override
			public Object convert(Sku key) {
				conversions.incrementAndGet();
				return key.number();
			}

		};
		KeysInTransaction keys = writer(AddFailure.FAIL, new KeyFormat(List.of(converter))).transactionalKeys();
		given(this.filter.isUnmovedSince(5)).willReturn(true);
		keys.add(List.of(new Sku(7)));
		keys.beforeCommit();
		keys.afterCommit();
		assertThat(conversions).hasValue(1);
	}

	@Test
	void listenersAreToldOnceMoreOfKeysWhoseRowsCanBeSeen() {
		List<Object> told = new ArrayList<>();
		this.listeners.add((filter, keys) -> told.addAll(keys));
		given(this.filter.add(any())).willReturn(CompletableFuture.completedFuture(5L));
		given(this.filter.isUnmovedSince(5)).willReturn(true);
		KeysInTransaction keys = writer(AddFailure.FAIL).transactionalKeys();
		keys.add(List.of(7L));
		keys.beforeCommit();
		assertThat(told).containsExactly(7L, "7");
		keys.afterCommit();
		assertThat(told).containsExactly(7L, "7", 7L, "7");
	}

	@Test
	void listenersAreNotToldOfATransactionWithoutKeys() {
		this.listeners.add((filter, keys) -> assertThat(keys).isNotEmpty());
		KeysInTransaction keys = writer(AddFailure.FAIL).transactionalKeys();
		keys.beforeCommit();
		keys.afterCommit();
		then(this.filter).should(never()).mistrust(any());
	}

	@Test
	void filterIsMistrustedIfAListenerHasForgottenNothingAfterTheCommit() {
		this.listeners.add(new AddedKeysListener() {

			@Override
			public void onKeysAdded(String filter, Collection<?> keys) {
			}

			@Override
			public void onKeysCommitted(String filter, Collection<?> keys) {
				throw new IllegalStateException("broken");
			}

		});
		given(this.filter.add(any())).willReturn(CompletableFuture.completedFuture(5L));
		given(this.filter.isUnmovedSince(5)).willReturn(true);
		KeysInTransaction keys = writer(AddFailure.FAIL).transactionalKeys();
		keys.add(List.of(7L));
		keys.beforeCommit();
		then(this.filter).should(never()).mistrust(any());
		keys.afterCommit();
		then(this.filter).should().mistrust(any());
	}

	@Test
	void keysThatCouldNotBeAddedAreAddedBeforeTheCommitIfTheTransactionGoesOn() {
		KeyWriter writer = writer(AddFailure.FAIL);
		given(this.filter.add(any())).willReturn(CompletableFuture.failedFuture(new IllegalStateException()))
			.willReturn(CompletableFuture.completedFuture(5L));
		given(this.filter.hasMovedSince(KeyWriter.NOT_ADDED)).willReturn(CompletableFuture.completedFuture(true));
		KeysInTransaction keys = writer.transactionalKeys();
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> keys.add(List.of(7)));
		keys.beforeCommit();
		then(this.filter).should(times(2)).add(Set.of("7"));
	}

	@Test
	void addThatFailedDoesNotFailThoseThatFollowInTheTransaction() {
		KeyWriter writer = writer(AddFailure.FAIL);
		given(this.filter.add(any())).willReturn(CompletableFuture.failedFuture(new IllegalStateException()))
			.willReturn(CompletableFuture.completedFuture(5L));
		KeysInTransaction keys = writer.transactionalKeys();
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> keys.add(List.of(0)));
		IntStream.range(0, 10).forEach((key) -> keys.add(List.of(key)));
		then(this.filter).should(times(11)).add(any());
	}

	@Test
	void listenerIsToldNothingOfFiltersThatItDoesNotSupport() {
		AddedKeysListener listener = mock();
		this.listeners.add(listener);
		writer(AddFailure.FAIL).add(List.of(7));
		then(listener).should(never()).onKeysAdded(any(), any());
	}

	private KeyWriter writer(AddFailure failure) {
		return writer(failure, new KeyFormat(List.of()));
	}

	private KeyWriter writer(AddFailure failure, KeyFormat format) {
		given(this.filter.clock()).willReturn(mock(MonotonicClock.class));
		given(this.filter.add(any())).willReturn(CompletableFuture.completedFuture(5L));
		return new KeyWriter(new FilterSettingsBuilder().addFailure(failure).build(), format, this.filter,
				new AddedKeysListeners("products", format, () -> this.listeners),
				new FilterStatistics("products", new ListenerChain(List.of(), Runnable::run)));
	}

	private record Sku(int number) {

	}

}
