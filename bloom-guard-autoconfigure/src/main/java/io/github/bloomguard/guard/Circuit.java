package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;

/**
 * Stops asking a Redis that does not answer. It opens after a few failures, so that calls
 * do not wait for the timeout one after the other, and is closed by the first answer to
 * what is asked in the background: no user's call is a probe.
 *
 * @since 0.1.0
 */
public final class Circuit {

	private static final int WINDOW = 10;

	private static final int ENOUGH_CALLS = 4;

	private static final Duration UNTIL_TRIED_AGAIN = Duration.ofSeconds(5);

	private static final Duration UNTIL_CLOSED = Duration.ofDays(365);

	private static final long DOUBT_NANOS = Duration.ofMillis(200).toNanos();

	private final CircuitBreaker breaker;

	/**
	 * When Redis did not answer last, 0 if it has answered since. Written by whoever asks
	 * it; a lost update makes a doubt too short or too long, which does no harm.
	 */
	private volatile long failedAt;

	/**
	 * How many answers in a row the breaker has been told of while it was closed. When
	 * they fill its window, another one changes nothing, so it is not told: each costs a
	 * lock that all callers share. A lost update tells it a few too many or too few,
	 * which is no more than the order of answers at the same moment does.
	 */
	private volatile int answersInARow;

	/**
	 * Create a closed circuit.
	 * @param closedFromOutside whether somebody asks Redis in the background and calls
	 * {@link #close()}; otherwise a call is let through every few seconds
	 */
	public Circuit(boolean closedFromOutside) {
		this.breaker = CircuitBreaker.of("bloom-guard",
				CircuitBreakerConfig.custom()
					.slidingWindowType(SlidingWindowType.COUNT_BASED)
					.slidingWindowSize(WINDOW)
					.minimumNumberOfCalls(ENOUGH_CALLS)
					.permittedNumberOfCallsInHalfOpenState(1)
					.waitDurationInOpenState(closedFromOutside ? UNTIL_CLOSED : UNTIL_TRIED_AGAIN)
					.build());
	}

	/**
	 * Tell whether Redis may be asked. Whoever asks it must tell how that went.
	 * @return {@code false} if it does not answer
	 */
	public boolean permits() {
		return this.breaker.tryAcquirePermission();
	}

	/**
	 * Tell whether Redis may be asked for something that the caller can do without. It is
	 * not if it has just failed to answer, so that one call does not wait for it again
	 * and again.
	 * @return {@code false} if it is doubtful whether it answers
	 */
	public boolean permitsOptional() {
		long failedAt = this.failedAt;
		return (failedAt == 0 || System.nanoTime() - failedAt > DOUBT_NANOS) && permits();
	}

	/**
	 * Redis has answered.
	 */
	public void answered() {
		if (this.failedAt != 0) {
			this.failedAt = 0;
		}
		int answersInARow = this.answersInARow;
		boolean closed = this.breaker.getState() == CircuitBreaker.State.CLOSED;
		if (!closed || answersInARow < WINDOW) {
			this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
			this.answersInARow = closed ? answersInARow + 1 : 0;
		}
	}

	/**
	 * Redis has not answered.
	 * @param failure how it failed
	 */
	public void failed(Throwable failure) {
		this.breaker.onError(0, TimeUnit.NANOSECONDS, failure);
		this.answersInARow = 0;
		this.failedAt = System.nanoTime();
	}

	/**
	 * Redis answers again.
	 */
	public void close() {
		if (isOpen()) {
			this.breaker.transitionToClosedState();
		}
	}

	/**
	 * Tell whether Redis is not asked.
	 * @return whether it is not
	 */
	public boolean isOpen() {
		return this.breaker.getState() == CircuitBreaker.State.OPEN;
	}

}
