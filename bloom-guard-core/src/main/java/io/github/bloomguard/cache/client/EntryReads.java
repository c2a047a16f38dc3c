package io.github.bloomguard.cache.client;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

/**
 * Reads entries of caches, each with a deadline, on the thread and the connection that it
 * would be read on without one.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface EntryReads {

	/**
	 * Read an entry.
	 * @param key its key in Redis
	 * @return its value, {@code null} if it is not there
	 * @throws InterruptedException if the thread is interrupted
	 * @throws ExecutionException if Redis has not answered, or with an error
	 * @throws TimeoutException if it has not answered in time
	 */
	byte @Nullable [] read(byte[] key) throws InterruptedException, ExecutionException, TimeoutException;

}
