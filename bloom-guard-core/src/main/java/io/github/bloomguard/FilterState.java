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
	 * A key was found that the active generation had called absent before it had proven
	 * itself: the sources of keys give them in another form than calls do, or not all of
	 * them. Every answer is {@link Membership#UNKNOWN} until the filter has been rebuilt,
	 * or somebody has taken note of it.
	 */
	REFUTED,

	/**
	 * Redis did not answer in time: every answer is {@link Membership#UNKNOWN} until it
	 * does.
	 */
	UNREACHABLE

}
