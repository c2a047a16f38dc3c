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

package io.github.bloomguard.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the memo of the protocol, the flaws and the walks tell of the same rules.
 */
class FlawTests {

	private static final Path MEMO = Path.of("src/main/java/io/github/bloomguard/generation/package-info.java");

	private static final Path WALKS = Path
		.of("src/test/java/io/github/bloomguard/chaos/ProtocolInterleavingTests.java");

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void eachFlawBreaksAnInvariantThatIsNamedAndIsFoundByAWalk(Flaw flaw) throws IOException {
		assertThat(Files.readString(MEMO)).containsOnlyOnce("{@code " + flaw + "}");
		assertThat(Files.readString(WALKS)).contains(flaw.name());
	}

}
