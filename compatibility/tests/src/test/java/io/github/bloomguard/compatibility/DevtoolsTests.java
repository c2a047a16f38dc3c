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
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the guard works after a restart by Spring Boot's development tools, and that
 * nothing is left of the application as it was before.
 */
class DevtoolsTests {

	private static final String APPLICATION = "io.github.bloomguard.compatibility.restart.RestartedApplication";

	private static final int STARTS = 3;

	/**
	 * Four of the guard, two of Lettuce, and the one that asks.
	 */
	private static final int CONNECTIONS = 4 + 2 + 1;

	/**
	 * Spring's caches have soft references to classes of the application.
	 */
	private static final String NO_SOFT_REFERENCES = "-XX:SoftRefLRUPolicyMSPerMB=0";

	@TempDir
	private Path directory;

	@Test
	void nothingIsLeftAfterARestart() throws IOException {
		try (TestRedis redis = TestRedis.start();
				Program program = Program.start(ClassPath.ofGuardedApplication().startingWith(this.directory),
						APPLICATION, List.of(NO_SOFT_REFERENCES),
						Stream.concat(Stream.of(redis.properties()),
								Stream.of("spring.devtools.restart.poll-interval=300ms",
										"spring.devtools.restart.quiet-period=100ms",
										"spring.devtools.livereload.enabled=false",
										// Spring Boot's own hooks keep the first class
										// loader
										"spring.main.register-shutdown-hook=false",
										"logging.register-shutdown-hook=false"))
							.toArray(String[]::new))) {
			awaitStart(program, 1);
			for (int start = 2; start <= STARTS; start++) {
				Files.writeString(this.directory.resolve("changed"), "before start " + start);
				awaitStart(program, start);
			}
			assertThat(program.output().lines().filter((line) -> line.startsWith("Start ")))
				.allMatch((line) -> line
					.endsWith("Everything is guarded, old class loaders: 0, threads of Redisson's timer: 1"))
				.hasSize(STARTS);
			Awaitility.await().untilAsserted(() -> assertThat(connections(redis)).isLessThanOrEqualTo(CONNECTIONS));
		}
	}

	private static void awaitStart(Program program, int start) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(program.output()).contains("Start " + start + ": "));
	}

	private static long connections(TestRedis redis) {
		return redis.command("CLIENT", "LIST").lines().count();
	}

}
