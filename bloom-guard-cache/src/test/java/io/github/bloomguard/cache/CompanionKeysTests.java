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

package io.github.bloomguard.cache;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CompanionKeys}.
 */
class CompanionKeysTests {

	private final CompanionKeys companions = new CompanionKeys("bloom-guard", UnaryOperator.identity());

	@ParameterizedTest
	@ValueSource(strings = { "products::7", "{products}::7", "products::{id=7}", "a{b}c{d}", "products::{", "a{{b}}c",
			"käse::ö" })
	void companionsAreInTheSlotOfTheirEntry(String entry) {
		byte[] key = entry.getBytes(StandardCharsets.UTF_8);
		int slot = ClusterSlotHashUtil.calculateSlot(key);
		assertThat(ClusterSlotHashUtil.calculateSlot(this.companions.heldOff(key))).isEqualTo(slot);
		assertThat(ClusterSlotHashUtil.calculateSlot(this.companions.lock(key))).isEqualTo(slot);
		assertThat(ClusterSlotHashUtil.calculateSlot(this.companions.load(key))).isEqualTo(slot);
		assertThat(this.companions.shareSlot(key)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a}b", "products::{}", "}{" })
	void keyWithABraceButWithoutAHashTagIsKnown(String entry) {
		assertThat(this.companions.shareSlot(entry.getBytes(StandardCharsets.UTF_8))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "products::7", "{products}::7" })
	void companionsStartWithTheirPrefix(String entry) {
		byte[] key = entry.getBytes(StandardCharsets.UTF_8);
		assertThat(new String(this.companions.heldOff(key), StandardCharsets.UTF_8))
			.startsWith("bloom-guard:cache:held-off:")
			.contains(entry);
		assertThat(new String(this.companions.lock(key), StandardCharsets.UTF_8)).startsWith("bloom-guard:cache:lock:")
			.contains(entry);
	}

	@Test
	void namesOfCachesAndThePrefixAreInUtf8() {
		assertThat(new CompanionKeys("käse", UnaryOperator.identity()).cleared("ö→"))
			.isEqualTo("käse:cache:cleared:{ö→}".getBytes(StandardCharsets.UTF_8));
	}

}
