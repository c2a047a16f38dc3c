package io.github.bloomguard.cache;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.bloomguard.testsupport.TestRedis;

/**
 * Tests for guarded caches with Lettuce.
 */
class LettuceGuardedCacheTests extends AbstractGuardedCacheTests {

	@Override
	Connected connect(TestRedis redis) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", redis.port());
		factory.afterPropertiesSet();
		factory.start();
		return new Connected(factory, factory::destroy);
	}

}
