package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Waits for Redis no longer than a call that could do without the cache should, and not
 * at all while it is known not to answer.
 */
final class Deadline {

	private final Duration timeout;

	private final RedisAvailability availability;

	Deadline(Duration timeout, RedisAvailability availability) {
		this.timeout = timeout;
		this.availability = availability;
	}

	/**
	 * Ask Redis and wait for the answer.
	 * @param question asks without waiting
	 * @return the answer
	 * @throws RedisConnectionFailureException if it is not asked
	 * @throws QueryTimeoutException if it did not answer in time
	 */
	<T extends @Nullable Object> T await(Supplier<CompletableFuture<T>> question) {
		if (!this.availability.permits()) {
			throw new RedisConnectionFailureException("Redis is not asked, it does not answer");
		}
		try {
			T answer = question.get().get(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
			this.availability.answered();
			return answer;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new QueryTimeoutException("Interrupted while waiting for Redis", ex);
		}
		catch (ExecutionException | TimeoutException | RuntimeException ex) {
			this.availability.failed(ex);
			throw new QueryTimeoutException("Redis did not answer within " + this.timeout.toMillis() + " ms", ex);
		}
	}

}
