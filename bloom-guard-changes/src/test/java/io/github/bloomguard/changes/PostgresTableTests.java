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

package io.github.bloomguard.changes;

import io.github.bloomguard.changes.PostgresTable.KeyColumn;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PostgresTable}.
 */
class PostgresTableTests {

	@Test
	void onlyTheBlanksThatFillAColumnOfCharactersAreRemoved() {
		assertThat(column("bpchar").value(" a\t  ")).isEqualTo(" a\t");
		assertThat(column("varchar").value(" a\t  ")).isEqualTo(" a\t  ");
	}

	@Test
	void booleansAreNotTheirLetters() {
		assertThat(column("bool").value("t")).isEqualTo(true);
		assertThat(column("bool").value("f")).isEqualTo(false);
	}

	private static KeyColumn column(String type) {
		return new KeyColumn("code", 0, type, type);
	}

}
