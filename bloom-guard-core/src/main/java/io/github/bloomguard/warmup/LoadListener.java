package io.github.bloomguard.warmup;

import org.jspecify.annotations.Nullable;

/**
 * Is told when the keys of a filter are loaded by this instance, by the thread that does
 * so.
 *
 * @since 0.1.0
 */
public interface LoadListener {

	/**
	 * It begins.
	 * @param rebuild whether the filter answers meanwhile
	 */
	void onLoadStarted(boolean rebuild);

	/**
	 * It is over.
	 * @param failure what went wrong, {@code null} if nothing did
	 */
	void onLoadEnded(@Nullable Throwable failure);

}
