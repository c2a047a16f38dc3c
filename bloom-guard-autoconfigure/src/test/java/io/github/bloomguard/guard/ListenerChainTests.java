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

	private final FilterTraffic traffic = new FilterTraffic("products",
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
		this.traffic.decided(Verdict.ABSENT);
		this.traffic.falsePositive();
		this.traffic.falseNegative();
		this.traffic.rejected();
		this.traffic.added(3);
		this.traffic.onStateChange(FilterState.WARMING_UP, FilterState.READY, null);
	}

}
