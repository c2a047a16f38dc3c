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

package io.github.bloomguard.statistics;

import java.util.List;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.testsupport.RecordingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListenerChain}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ListenerChainTests {

	private final BloomGuardListener broken = Mockito.mock(BloomGuardListener.class, (invocation) -> {
		throw new IllegalStateException("broken listener");
	});

	private final RecordingListener recorder = new RecordingListener();

	private final FilterStatistics statistics = new FilterStatistics("products",
			new ListenerChain(List.of(this.broken, this.recorder), Runnable::run));

	@Test
	void listenerThatFailsKeepsNoOtherFromReceivingEvents() {
		deliverEverything();
		assertThat(this.recorder.events()).containsExactly("products ABSENT answered", "products false positive",
				"products false negative", "products rejected", "products added 3", "products is READY");
	}

	@Test
	void failureIsLoggedOnce(CapturedOutput output) {
		deliverEverything();
		deliverEverything();
		assertThat(output).containsOnlyOnce("IllegalStateException: broken listener");
	}

	private void deliverEverything() {
		this.statistics.decided(Decision.ABSENT);
		this.statistics.falsePositive();
		this.statistics.falseNegative();
		this.statistics.rejected();
		this.statistics.added(3);
		this.statistics.onStateChange("products", FilterState.LOADING, FilterState.READY, null);
	}

}
