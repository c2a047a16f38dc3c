package io.github.bloomguard.guard;

import java.util.List;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Verdict;
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

	private final ListenerChain chain = new ListenerChain(List.of(this.broken, this.recorder), Runnable::run);

	@Test
	void listenerThatFailsKeepsNobodyFromBeingTold() {
		tellEverything();
		assertThat(this.recorder.events()).containsExactly("products ABSENT answered", "products false positive",
				"products false negative", "products rejected", "products added 3", "products is READY");
	}

	@Test
	void failureIsLoggedOnce(CapturedOutput output) {
		tellEverything();
		tellEverything();
		assertThat(output).containsOnlyOnce("IllegalStateException: broken listener");
	}

	private void tellEverything() {
		this.chain.onVerdict("products", Verdict.ABSENT);
		this.chain.onFalsePositive("products");
		this.chain.onFalseNegative("products");
		this.chain.onRejected("products");
		this.chain.onAdded("products", 3);
		this.chain.onStateChange("products", FilterState.WARMING_UP, FilterState.READY, null);
	}

}
