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

package io.github.bloomguard.entity;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EntityLibrary} where no module of a library is on the class path.
 */
class EntityLibraryTests {

	@Test
	void failureNamesAModuleWhereThereIsNone() {
		assertThat(EntityLibrary.descriptions()).isEqualTo("module of bloom-guard that maps entities");
		assertThat(EntityLibrary.remedies())
			.startsWith("Add the one of its library, such as bloom-guard-hibernate, or remove the entity");
	}

}
