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

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application is guarded whose beans were decided on when it was built.
 */
class AotTests {

	private static final String APPLICATION = "io.github.bloomguard.compatibility.catalogue.CatalogueApplication";

	@Test
	void applicationThatWasProcessedAheadOfTimeIsGuarded() {
		Path processed = Path.of("target", "classes").toAbsolutePath();
		try (TestRedis redis = TestRedis.start();
				Program program = Program.start(ClassPath.ofGuardedApplication().startingWith(processed), APPLICATION,
						List.of("-Dspring.aot.enabled=true"),
						Stream.concat(Stream.of(redis.properties()), Stream.of("logging.level.root=info"))
							.toArray(String[]::new))) {
			assertThat(program.await()).as(program::output).isZero();
			assertThat(program.output()).contains("Starting AOT-processed CatalogueApplication",
					"Everything is guarded");
		}
	}

}
