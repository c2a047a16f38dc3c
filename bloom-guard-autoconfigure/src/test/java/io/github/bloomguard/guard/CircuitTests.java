package io.github.bloomguard.guard;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Circuit}.
 */
class CircuitTests {

	private static final Throwable FAILURE = new IOException("no answer");

	private final Circuit circuit = new Circuit(true);

	/**
	 * Most answers are not told to the breaker. That must not be seen.
	 */
	@ParameterizedTest
	@ValueSource(doubles = { 0.02, 0.1, 0.3, 0.5, 0.7 })
	void opensExactlyWhenABreakerWouldThatIsToldOfEachAnswer(double failures) {
		CircuitBreaker told = CircuitBreaker.of("told",
				CircuitBreakerConfig.custom()
					.slidingWindowSize(10)
					.minimumNumberOfCalls(4)
					.waitDurationInOpenState(Duration.ofDays(1))
					.build());
		Random random = new Random(7);
		for (int i = 0; i < 100_000; i++) {
			if (random.nextDouble() < failures) {
				this.circuit.failed(FAILURE);
				told.onError(0, TimeUnit.NANOSECONDS, FAILURE);
			}
			else {
				this.circuit.answered();
				told.onSuccess(0, TimeUnit.NANOSECONDS);
			}
			assertThat(this.circuit.isOpen()).isEqualTo(told.getState() == CircuitBreaker.State.OPEN);
			if (this.circuit.isOpen() && random.nextInt(20) == 0) {
				this.circuit.close();
				told.transitionToClosedState();
			}
		}
	}

	@Test
	void opensAfterAFewFailuresHoweverManyAnswersCameBefore() {
		IntStream.range(0, 100_000).forEach((i) -> this.circuit.answered());
		IntStream.range(0, 5).forEach((i) -> this.circuit.failed(FAILURE));
		assertThat(this.circuit.permits()).isFalse();
	}

	@Test
	void staysOpenUntilItIsClosedThoughLateAnswersArrive() {
		IntStream.range(0, 10).forEach((i) -> this.circuit.failed(FAILURE));
		IntStream.range(0, 100).forEach((i) -> this.circuit.answered());
		assertThat(this.circuit.permits()).isFalse();
		this.circuit.close();
		assertThat(this.circuit.permits()).isTrue();
	}

	@Test
	void redisIsDoubtfulAfterAFailureUntilItAnswers() {
		IntStream.range(0, 10).forEach((i) -> this.circuit.answered());
		this.circuit.failed(FAILURE);
		assertThat(this.circuit.permits()).isTrue();
		assertThat(this.circuit.permitsOptional()).isFalse();
		this.circuit.answered();
		assertThat(this.circuit.permitsOptional()).isTrue();
	}

}
