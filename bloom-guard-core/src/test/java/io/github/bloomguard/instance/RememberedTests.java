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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Remembered}.
 */
class RememberedTests {

	private final Remembered<String> remembered = new Remembered<>();

	@Test
	void whatARecordSaysCountsAndIsNotLost() {
		this.remembered.read(1, "off");
		assertThat(this.remembered.value()).isEqualTo("off");
		assertThat(this.remembered.lost()).isNull();
	}

	@Test
	void whatARecordSaidThatWasLostStillCountsUntilItIsWrittenBack() {
		this.remembered.read(1, "off");
		this.remembered.read(2, null);
		this.remembered.read(2, null);
		assertThat(this.remembered.value()).isEqualTo("off");
		assertThat(this.remembered.lost()).isEqualTo("off");
		this.remembered.read(2, "off");
		assertThat(this.remembered.lost()).isNull();
	}

	@Test
	void whatTheSameRecordSaysNoMoreWasTakenBack() {
		this.remembered.read(1, "off");
		this.remembered.read(1, null);
		assertThat(this.remembered.value()).isNull();
		this.remembered.read(2, null);
		assertThat(this.remembered.lost()).isNull();
	}

	@Test
	void whatIsForgottenIsNotBroughtBack() {
		this.remembered.read(1, "off");
		this.remembered.forget();
		this.remembered.read(2, null);
		assertThat(this.remembered.value()).isNull();
		assertThat(this.remembered.lost()).isNull();
	}

}
