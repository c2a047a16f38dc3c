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

package io.github.bloomguard.logging;

import java.util.List;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.MDC;

import org.springframework.boot.logging.LoggingSystemProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LogFields}.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class LogFieldsTests {

	/**
	 * Spring Boot keeps the pattern there, for all applications that follow.
	 */
	@AfterEach
	void forgetThePattern() {
		System.clearProperty(LoggingSystemProperty.CONSOLE_PATTERN.getEnvironmentVariableName());
	}

	@Test
	void linesAboutAFilterNameItInAField(CapturedOutput output) {
		try (GuardApplication application = GuardApplication.start(List.of(new Keys("products", 10)),
				"bloom-guard.filters.products.type=memory", "logging.pattern.console=[%X{bloomGuardFilter}] %m%n")) {
			application.awaitReady();
		}
		assertThat(output.getOut().lines()).filteredOn((line) -> line.contains("Warm-up of the filter 'products'"))
			.isNotEmpty()
			.allMatch((line) -> line.startsWith("[products] "));
	}

	@Test
	void fieldIsAsBeforeAfterwards() {
		MDC.put(LogFields.FILTER, "outer");
		try {
			LogFields.withFilter("inner", () -> assertThat(MDC.get(LogFields.FILTER)).isEqualTo("inner"));
			assertThat(MDC.get(LogFields.FILTER)).isEqualTo("outer");
		}
		finally {
			MDC.remove(LogFields.FILTER);
		}
		assertThatIllegalStateException().isThrownBy(() -> LogFields.withFilter("inner", () -> {
			throw new IllegalStateException();
		}));
		assertThat(MDC.get(LogFields.FILTER)).isNull();
	}

}
