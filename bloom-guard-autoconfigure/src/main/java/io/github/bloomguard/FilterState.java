package io.github.bloomguard;

/**
 * The state of a filter as one instance of the application sees it.
 *
 * @since 0.1.0
 */
public enum FilterState {

	/**
	 * No generation has been sealed yet: every answer is {@link Membership#UNKNOWN}.
	 */
	WARMING_UP,

	/**
	 * A sealed generation answers.
	 */
	READY,

	/**
	 * The generation that answered is not intact any more (evicted, flushed, deleted):
	 * every answer is {@link Membership#UNKNOWN} until a rebuild has been sealed.
	 */
	LOST,

	/**
	 * Redis did not answer in time: every answer is {@link Membership#UNKNOWN} until it
	 * does.
	 */
	UNREACHABLE

}
