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

package io.github.bloomguard.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomRemove;
import io.github.bloomguard.testsupport.LogLines;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.BeanCreationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BloomAdd} methods whose key is added before they are called.
 */
class BloomAddBeforeTests {

	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	private final List<String> events = new CopyOnWriteArrayList<>();

	BloomAddBeforeTests() {
		this.products.events(this.events);
		this.filter.onAdd(() -> this.events.add("add"));
		this.filter.onEnd(() -> this.events.add("end"));
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void keyIsAddedBeforeTheMethodIsCalledAndLookedAfterUntilItsEnd() {
		try (LogLines lines = LogLines.of(KeyChange.class, Level.INFO)) {
			this.products.insert("a");
			assertThat(lines.lines()).isEmpty();
		}
		assertThat(this.events).containsExactly("add", "call", "end");
		assertThat(this.filter.added()).containsExactly("a");
	}

	@Test
	void keyIsLookedAfterIfTheMethodFails() {
		assertThatIllegalStateException().isThrownBy(() -> this.products.insert(""));
		assertThat(this.events).containsExactly("add", "call", "end");
	}

	@Test
	void methodIsNotCalledIfAKeyIsNull() {
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> this.products.insert(null));
		assertThatExceptionOfType(Exception.class).isThrownBy(this.products.insertLater(null)::join)
			.withCauseInstanceOf(KeyNotAddedException.class);
		StepVerifier.create(this.products.insertMono(null)).verifyError(KeyNotAddedException.class);
		assertThat(this.events).containsOnly("add");
	}

	@Test
	void methodIsNotCalledIfTheKeyCanNotBeAdded() {
		this.filter.refuseAdds();
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> this.products.insert("a"));
		assertThatExceptionOfType(Exception.class).isThrownBy(this.products.insertLater("a")::join)
			.withCauseInstanceOf(KeyNotAddedException.class);
		StepVerifier.create(this.products.insertMono("a")).verifyError(KeyNotAddedException.class);
		StepVerifier.create(this.products.insertFlux("a")).verifyError(KeyNotAddedException.class);
		assertThat(this.events).containsOnly("add");
	}

	@Test
	void eachOfManyKeysIsAdded() {
		this.products.insertAll(List.of("a", "b"));
		this.products.insertAll(List.of());
		assertThat(this.events).containsExactly("add", "call", "end", "call");
		assertThat(this.filter.added()).containsExactly("a", "b");
	}

	@Test
	void falseConditionAddsNothing() {
		this.products.insertIfLong("a");
		assertThat(this.events).containsExactly("call");
	}

	@Test
	void anotherKeyIsAddedAfterwardsAndAnotherOneRemoved() {
		this.products.rename("a", "b");
		assertThat(this.filter.added()).containsExactly("b", "result");
		assertThat(this.filter.removed()).containsExactly("a");
		assertThat(this.events).containsExactly("add", "call", "add", "end");
	}

	@Test
	void methodThatReturnsAFutureIsCalledElsewhereAfterTheKeyHasBeenAdded() {
		assertThat(this.products.insertLater("a").join()).isEqualTo("a on add");
		Awaitility.await().untilAsserted(() -> assertThat(this.events).containsExactly("add", "call", "end"));
		assertThat(this.products.insertLater("")).failsWithin(Duration.ofSeconds(10));
		Awaitility.await().untilAsserted(() -> assertThat(this.events).hasSize(6).endsWith("end"));
	}

	@Test
	void futureFailsIfTheExecutorRefuses() {
		this.context.bean(ExecutorService.class).shutdown();
		assertThat(this.products.insertLater("a")).isCompletedExceptionally();
		assertThat(this.events).isEmpty();
	}

	@Test
	void keyIsAddedForEachSubscriptionAndBeforeTheMethodIsCalled() {
		Mono<String> mono = this.products.insertMono("a");
		assertThat(this.events).isEmpty();
		StepVerifier.create(mono).expectNext("a").verifyComplete();
		StepVerifier.create(mono).expectNext("a").verifyComplete();
		StepVerifier.create(this.products.insertFlux("b")).expectNext("b", "b").verifyComplete();
		assertThat(this.events).containsExactly("add", "call", "end", "add", "call", "end", "add", "call", "end");
		assertThat(this.filter.added()).containsExactly("a", "a", "b");
	}

	@Test
	void keyIsLookedAfterIfThePublisherFailsOrIsCancelled() {
		StepVerifier.create(this.products.insertMono("")).verifyError(IllegalStateException.class);
		assertThat(this.events).containsExactly("add", "call", "end");
		StepVerifier.create(this.products.insertFlux("b"), 1).expectNext("b").thenCancel().verify();
		Awaitility.await().untilAsserted(() -> assertThat(this.events).hasSize(6).endsWith("end"));
	}

	@Test
	void resultIsRefused() {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> GuardContext.of(UsingResult.class))
			.havingRootCause()
			.isInstanceOf(InvalidGuardException.class)
			.withMessageContainingAll("@BloomAdd(key = \"#result\")", "insert(String)",
					"uses #result, which there is not before the method is called", "#name");
	}

	static class UsingResult {

		@BloomAdd(filter = "products", key = "#result", before = true)
		public String insert(String name) {
			return name;
		}

	}

	static class Products {

		private List<String> events = List.of();

		void events(List<String> events) {
			this.events = events;
		}

		@BloomAdd(filter = "products", before = true)
		public void insert(@Nullable String name) {
			this.events.add("call");
			if (name != null && name.isEmpty()) {
				throw new IllegalStateException("database");
			}
		}

		@BloomAdd(filter = "products", keys = "#names", before = true)
		public void insertAll(List<String> names) {
			this.events.add("call");
		}

		@BloomAdd(filter = "products", condition = "#name.length() > 1", before = true)
		public void insertIfLong(String name) {
			this.events.add("call");
		}

		@BloomAdd(filter = "products", key = "#to", before = true)
		@BloomAdd(filter = "products", key = "#result")
		@BloomRemove(filter = "products", key = "#from")
		public String rename(String from, String to) {
			this.events.add("call");
			return "result";
		}

		@BloomAdd(filter = "products", before = true)
		public CompletableFuture<String> insertLater(@Nullable String name) {
			insert(name);
			return CompletableFuture.completedFuture(name + " on " + Thread.currentThread().getName());
		}

		@BloomAdd(filter = "products", before = true)
		public Mono<String> insertMono(@Nullable String name) {
			insert(name);
			return Mono.justOrEmpty(name);
		}

		@BloomAdd(filter = "products", before = true)
		public Flux<String> insertFlux(String name) {
			insert(name);
			return Flux.just(name, name);
		}

	}

}
