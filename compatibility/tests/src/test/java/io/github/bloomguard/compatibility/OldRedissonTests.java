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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application whose Redisson is too old is told its version, its jar, and
 * what to write.
 */
class OldRedissonTests {

	private static final String APPLICATION = "io.github.bloomguard.compatibility.catalogue.CatalogueApplication";

	private static final String VERSION = System.getProperty("compatibility.redisson");

	@Test
	void applicationIsStoppedWithAnAnalysis() {
		try (Program program = Program.start(ClassPath.ofGuardedApplication(), APPLICATION, List.of(), "server.port=0",
				"spring.data.redis.port=1")) {
			assertThat(program.await()).as(program::output).isEqualTo(1);
			assertThat(program.output())
				.contains("APPLICATION FAILED TO START", "Redisson 3.17 or later, and this is " + VERSION,
						"redisson-" + VERSION + ".jar", "<artifactId>redisson</artifactId><version>")
				.doesNotContain("NoClassDefFoundError", "NoSuchMethodError", "ClassNotFoundException");
		}
	}

}
