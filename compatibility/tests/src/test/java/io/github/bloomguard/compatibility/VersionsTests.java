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

package io.github.bloomguard.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.redisson.Redisson;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tests are run with what the documentation says.
 */
class VersionsTests {

	private final String springBoot = System.getProperty("compatibility.spring-boot");

	private final String redisson = System.getProperty("compatibility.redisson");

	@Test
	void versionsAreThoseOfTheModule() {
		assertThat(SpringBootVersion.getVersion()).isEqualTo(this.springBoot);
		assertThat(Redisson.class.getPackage().getImplementationVersion()).isEqualTo(this.redisson);
	}

	@Test
	void versionsAreDocumented() throws IOException {
		Path module = Path.of("").toAbsolutePath();
		assertThat(Files.readAllLines(module.resolve("../../docs/internals/compatibility.md")))
			.filteredOn((line) -> line.startsWith("| `" + module.getFileName() + "` |"))
			.isNotEmpty()
			.allSatisfy(
					(line) -> assertThat(line).contains("| " + this.springBoot + " |", "| " + this.redisson + " |"));
	}

}
