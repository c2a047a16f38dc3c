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

package io.github.bloomguard.mybatis;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KnownStatements}.
 */
class KnownStatementsTests {

	private final KnownStatements statements = new KnownStatements();

	@Test
	void textIsReadOnce() {
		String sql = "select id from product where id = ?";
		assertThat(this.statements.get(sql)).isSameAs(this.statements.get(new StringBuilder(sql).toString()));
	}

	@Test
	void textThatTakesMuchRoomIsNotKept() {
		String sql = "select id from product where id in (%s ?)".formatted("?, ".repeat(2_000));
		assertThat(this.statements.get(sql)).isNotSameAs(this.statements.get(sql));
		assertThat(this.statements.get(sql).writes().areNone()).isTrue();
	}

}
