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
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.ControlStore.MirrorLease;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Mirrors}.
 */
class MirrorsTests {

	private static final List<String> KEYS = List.of("a", "b");

	private final ControlStore control = mock();

	private final MirrorChannel channel = mock();

	private final StoredFilter bits = mock();

	private final Generation generation = new Generation("id", new FilterSpecification("products", 1000, 0.01), 1000,
			"salt", "origin", Instant.EPOCH, Phase.ACTIVE);

	private final ActiveGeneration active = new ActiveGeneration(this.generation, this.bits);

	private final Mirrors mirrors = new Mirrors(this.control,
			new FilterSettingsBuilder().mirrorMemory(1_000_000)
				.longestAdd(Duration.ofSeconds(1))
				.journalRetention(Duration.ofMinutes(10))
				.build(),
			MonotonicClock.SYSTEM, () -> {
			});

	@BeforeEach
	void answer() {
		given(this.control.channel()).willReturn(this.channel);
		given(this.channel.instance()).willReturn("this");
		given(this.channel.open(any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.channel.announceEnd(any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.bits.copy(any())).willAnswer((invocation) -> Optional.of(new SetCopy()));
		given(this.control.acquireMirrorLease(any()))
			.willReturn(CompletableFuture.completedFuture(new MirrorLease(JournalPosition.START, 1, 10_000)));
		given(this.control.releaseMirrorLease(any())).willReturn(CompletableFuture.completedFuture(null));
		this.mirrors.follow(this.active);
	}

	@Test
	void mirrorHasTheKeysOfWhichItIsTheAuthorBeforeTheyAreSent() {
		Mirror mirror = this.mirrors.own().current();
		assertThat(this.mirrors.addToOwn(KEYS)).isEqualTo(mirror.holder());
		assertThat(KEYS).allMatch(mirror::mightContain);
	}

	@Test
	void withoutAMirrorNobodyIsTheAuthor() {
		this.mirrors.follow(null);
		assertThat(this.mirrors.addToOwn(KEYS)).isNull();
	}

	@Test
	void mirrorThatTookThePlaceOfTheAuthorHasTheKeysWhenTheyAreAppended() {
		LeaseHolder author = this.mirrors.addToOwn(KEYS);
		this.mirrors.follow(null);
		this.mirrors.follow(this.active);
		Mirror second = this.mirrors.own().current();
		assertThat(KEYS).noneMatch(second::mightContain);
		await(author);
		assertThat(KEYS).allMatch(second::mightContain);
	}

	@Test
	void keyThatWasRemovedAfterItWasSentIsFoundWhenItIsAppended() {
		Mirror mirror = this.mirrors.own().current();
		LeaseHolder author = this.mirrors.addToOwn(KEYS);
		refreshed(mirror, List.of());
		refreshed(mirror, List.of("a"));
		refreshed(mirror, List.of());
		assertThat(mirror.mightContain("a")).isFalse();
		await(author);
		assertThat(mirror.mightContain("a")).isTrue();
	}

	private static void refreshed(Mirror mirror, List<String> removed) {
		JournalPosition from = mirror.progress().position();
		mirror.moveOver(new Mirror.JournalPart(from, from, removed), 10_000);
	}

	private void await(LeaseHolder author) {
		ControlRecord record = new ControlRecord(1, List.of(this.generation), Trust.NONE, true, 1,
				JournalPosition.START, 10_000, 1, 0, null);
		assertThat(this.mirrors.await(this.mirrors.expect(), KEYS, author, new Appended(record, Set.of())))
			.isCompleted();
	}

}
