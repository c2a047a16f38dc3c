package io.github.bloomguard.backend.redis;

import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.gate.RedisRefusedException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisException;

/**
 * One question, and its answer when it comes.
 *
 * @since 0.1.0
 */
public abstract class QueuedLookup extends CompletableFuture<Membership> {

	private final long askedAt = System.nanoTime();

	/**
	 * Return when it was asked, in the terms of {@link System#nanoTime()}.
	 */
	final long askedAt() {
		return this.askedAt;
	}

	/**
	 * Complete it without a reply.
	 * @param failure why there is none, {@code null} if nothing is known
	 */
	public final void fail(@Nullable Throwable failure) {
		RuntimeException cause = RedisFailures
			.translate((failure != null) ? failure : new RedisException("There was no reply"));
		if (cause instanceof RedisRefusedException && String.valueOf(cause.getMessage()).startsWith("WRONGTYPE")) {
			// something else is stored under this name
			complete(Membership.UNKNOWN);
		}
		else {
			completeExceptionally(cause);
		}
	}

}
