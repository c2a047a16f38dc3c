package io.github.bloomguard.autoconfigure.redis;

import io.github.bloomguard.InvalidGuardException;

/**
 * Refuses connections that Redisson can't make, instead of connecting to something else.
 */
final class UnsupportedRedis {

	private UnsupportedRedis() {
	}

	/**
	 * Refuse something.
	 * @param used whether the application uses it
	 * @param what what Redisson can't do
	 */
	static void check(boolean used, String what) {
		if (used) {
			throw of(what);
		}
	}

	static InvalidGuardException of(String what) {
		return new InvalidGuardException(
				"The application's connection to Redis uses " + what
						+ ", which the guard's own connection, made by Redisson, can't do",
				"Declare a RedissonClient bean that connects to the Redis in which the filters shall be kept; the"
						+ " guard then uses that one");
	}

}
