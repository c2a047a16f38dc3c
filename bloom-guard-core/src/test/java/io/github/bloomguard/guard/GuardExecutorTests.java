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

package io.github.bloomguard.guard;

import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GuardExecutor}.
 */
@ExtendWith(OutputCaptureExtension.class)
class GuardExecutorTests {

	@Test
	void taskForWhichNoThreadCanBeStartedIsRejectedAndWarnedOf(CapturedOutput output) {
		GuardExecutor executor = new GuardExecutor();
		executor.setThreadFactory((task) -> {
			throw new OutOfMemoryError("unable to create native thread");
		});
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> executor.execute(() -> {
			}));
		}
		assertThat(output).containsOnlyOnce("No thread can be started, so filters are neither loaded nor verified");
	}

}
