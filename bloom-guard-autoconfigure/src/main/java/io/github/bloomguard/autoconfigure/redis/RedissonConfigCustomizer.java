package io.github.bloomguard.autoconfigure.redis;

import org.redisson.config.Config;

/**
 * Changes the configuration of the guard's own Redisson client, before it is made. Not
 * used if the application has a {@code RedissonClient} bean, which the guard then uses.
 * Beans of this type are applied in their order.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RedissonConfigCustomizer {

	/**
	 * Change the configuration.
	 * @param config the configuration, made from the application's own connection to
	 * Redis
	 */
	void customize(Config config);

}
