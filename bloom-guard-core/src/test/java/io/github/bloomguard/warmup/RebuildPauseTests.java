package io.github.bloomguard.warmup;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RebuildPause}.
 */
class RebuildPauseTests {

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

	private final RebuildPause pause = new RebuildPause(this.now::get);

	@Test
	void firstRebuildNeedsNotWait() {
		assertThat(this.pause.remaining(true)).isZero();
	}

	@Test
	void nextRebuildWaitsAsLongAsTheLastOneTook() {
		rebuild(Duration.ofMinutes(3));
		assertThat(this.pause.remaining(true)).isEqualTo(Duration.ofMinutes(3));
		this.now.addAndGet(Duration.ofMinutes(1).toNanos());
		assertThat(this.pause.remaining(true)).isEqualTo(Duration.ofMinutes(2));
		this.now.addAndGet(Duration.ofMinutes(2).toNanos());
		assertThat(this.pause.remaining(true)).isZero();
	}

	@Test
	void nextRebuildWaitsForASecondAfterAQuickOne() {
		rebuild(Duration.ofMillis(1));
		assertThat(this.pause.remaining(true)).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void filterThatDoesNotAnswerIsBuiltAtOnce() {
		rebuild(Duration.ofMinutes(3));
		assertThat(this.pause.remaining(false)).isZero();
	}

	private void rebuild(Duration duration) {
		long begun = this.now.get();
		this.now.addAndGet(duration.toNanos());
		this.pause.begin(begun);
	}

}
