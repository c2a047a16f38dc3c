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

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application with the starter of another line of Spring Boot is told which
 * is the right one.
 */
class WrongStarterTests {

	@Test
	void applicationIsStoppedWithAnAnalysis() {
		try (Program program = Program.start(ClassPath.ofGuardedApplication(),
				"io.github.bloomguard.compatibility.listing.ListingApplication", List.of(), "server.port=0",
				"listing=nothing")) {
			assertThat(program.await()).isEqualTo(1);
			assertThat(program.output())
				.contains("APPLICATION FAILED TO START", "and this is " + SpringBootVersion.getVersion(),
						"Write " + System.getProperty("compatibility.right") + " in its place")
				.doesNotContain("NoClassDefFoundError", "NoSuchMethodError", "ClassNotFoundException");
		}
	}

	@Test
	void applicationStartsWithoutTheGuard() {
		try (Program program = Program.start(ClassPath.ofApplication(),
				"io.github.bloomguard.compatibility.listing.ListingApplication", List.of(), "server.port=0",
				"listing=/dev/null")) {
			assertThat(program.await()).as(program::output).isZero();
		}
	}

}
