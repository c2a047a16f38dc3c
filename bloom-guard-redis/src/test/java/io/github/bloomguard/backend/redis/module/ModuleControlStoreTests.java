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

package io.github.bloomguard.backend.redis.module;

import java.util.List;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.backend.redis.module.ModuleServer.Kind;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.ControlStoreContractTests;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordSteps;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the control record of filters of the server, of each kind.
 */
@ParameterizedClass
@EnumSource(Kind.class)
class ModuleControlStoreTests extends ControlStoreContractTests {

	@AutoClose
	private static final ModuleServer server = new ModuleServer();

	private final ModuleBackend backend;

	ModuleControlStoreTests(Kind kind) {
		this.backend = server.backend(kind);
	}

	@BeforeEach
	void flush() {
		server.flush();
	}

	@Override
	protected ControlStore newStore(String origin, FilterSettings settings) {
		return this.backend.control(settings, Origin.of(origin));
	}

	@Override
	protected FilterStore filters() {
		return this.backend.filters();
	}

	@Test
	void keysAreWrittenToKnownGenerationsInTheStepThatAppendsThem() {
		Generation active = activate(ME);
		StoredFilter first = create(this.backend.filters(), active);
		Generation live = begin(ME);
		StoredFilter second = create(this.backend.filters(), live);
		new RecordSteps(this.store).goLive(ME, live.id(), "").join();
		Generation loading = newGeneration();
		Appended appended = this.store.append(List.of("a", "b"), List.of(active, live, loading)).join();
		assertThat(appended.written()).containsExactlyInAnyOrder(active.id(), live.id());
		assertThat(first.seal().join()).isTrue();
		assertThat(second.seal().join()).isTrue();
		assertThat(first.lookup(active.elements(List.of("a", "b", "c"))).join()).containsExactly(Membership.MAYBE,
				Membership.MAYBE, Membership.ABSENT);
		assertThat(second.lookup(live.elements(List.of("a", "b", "c"))).join()).containsExactly(Membership.MAYBE,
				Membership.MAYBE, Membership.ABSENT);
	}

	@Test
	void generationThatIsGoneIsNotCreatedByAKey() {
		Generation active = activate(ME);
		Appended appended = this.store.append(List.of("a"), List.of(active)).join();
		assertThat(appended.written()).as("nobody gets an answer from it").containsExactly(active.id());
		assertThat(server.redis().keys("*bits*")).isEmpty();
	}

	@Test
	void generationOfAnotherTypeIsGivenUpByAKeyThatCanNotBeWrittenToIt() {
		RedisBackend other = server.bits();
		Generation mine = activate(ME);
		Generation others = activate(ME, "other");
		StoredFilter filter = create(this.backend.filters(), mine);
		StoredFilter bits = create(other.filters(), others);
		assertThat(filter.seal().join() && bits.seal().join()).isTrue();
		this.store.append(List.of("a"), List.of(others)).join();
		assertThat(bits.lookup(others.elements(List.of("b")).get(0)).join()).isEqualTo(Membership.UNKNOWN);
		other.control(ModuleServer.settings(HOUR, HOUR), Origin.of("other")).append(List.of("a"), List.of(mine)).join();
		assertThat(filter.lookup(mine.elements(List.of("b")).get(0)).join()).isEqualTo(Membership.UNKNOWN);
	}

	private static StoredFilter create(FilterStore store, Generation generation) {
		return store.create(new GenerationId("products", generation.id()), generation.specification()).join();
	}

}
