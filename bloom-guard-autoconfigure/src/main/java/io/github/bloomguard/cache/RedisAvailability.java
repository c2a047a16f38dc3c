package io.github.bloomguard.cache;

/**
 * Knows whether Redis answers, from all who ask it.
 *
 * @since 0.1.0
 */
public interface RedisAvailability {

	/**
	 * Tell whether Redis may be asked. Whoever asks it tells how that went.
	 * @return {@code false} if it does not answer
	 */
	boolean permits();

	/**
	 * Redis has answered.
	 */
	void answered();

	/**
	 * Redis has not answered.
	 * @param failure how it failed
	 */
	void failed(Throwable failure);

	/**
	 * For where nobody knows better.
	 * @return always permits
	 */
	static RedisAvailability assumed() {
		return new RedisAvailability() {

			@Override
			public boolean permits() {
				return true;
			}

			@Override
			public void answered() {
			}

			@Override
			public void failed(Throwable failure) {
			}

		};
	}

}
