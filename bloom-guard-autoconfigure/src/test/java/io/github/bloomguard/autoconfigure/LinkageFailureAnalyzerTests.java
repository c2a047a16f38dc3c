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

package io.github.bloomguard.autoconfigure;

import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LinkageFailureAnalyzer}.
 */
class LinkageFailureAnalyzerTests {

	private final LinkageFailureAnalyzer analyzer = new LinkageFailureAnalyzer();

	@Test
	void classThatTheGuardMissesIsToldWithTheVersionTheJarAndTheLines() {
		LinkageError error = new NoClassDefFoundError("org/redisson/config/Later");
		FailureAnalysis analysis = this.analyzer.analyze(new IllegalStateException("bean", error));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).contains("org.redisson.config.Later", "redisson-4.", ".jar");
		assertThat(analysis.getAction()).contains("<groupId>org.redisson</groupId>");
	}

	@Test
	void classThatSpringMissesInAConfigurationOfTheGuardIsToldToo() {
		LinkageError error = thrownBy("java.lang.Class", "org.springframework.util.ReflectionUtils");
		assertThat(this.analyzer.analyze(new IllegalStateException(
				"Failed to introspect Class [io.github.bloomguard.autoconfigure.redis.OwnClient] from ClassLoader",
				error)))
			.isNotNull();
	}

	@Test
	void classThatALibraryMissesIsToldIfTheGuardHasCalledIt() {
		LinkageError error = thrownBy("java.lang.Class", "org.redisson.config.Config",
				"io.github.bloomguard.backend.redis.OwnConfig");
		FailureAnalysis analysis = this.analyzer.analyze(new IllegalStateException("bean", error));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).contains("Redisson ", "lacks what it calls of another library");
		assertThat(this.analyzer.analyze(thrownBy("org.redisson.config.Config", "com.acme.Products"))).isNull();
	}

	@Test
	void classThatTheApplicationMissesIsLeftToOthers() {
		LinkageError error = thrownBy("com.acme.Products", "io.github.bloomguard.interceptor.SynchronousCalls");
		assertThat(this.analyzer.analyze(error)).isNull();
	}

	private static LinkageError thrownBy(String... frames) {
		LinkageError error = new NoClassDefFoundError("org/redisson/config/Later");
		StackTraceElement[] trace = new StackTraceElement[frames.length];
		for (int i = 0; i < frames.length; i++) {
			trace[i] = new StackTraceElement(frames[i], "call", null, 1);
		}
		error.setStackTrace(trace);
		return error;
	}

}
