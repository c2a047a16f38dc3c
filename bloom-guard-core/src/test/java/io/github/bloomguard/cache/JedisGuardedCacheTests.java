package io.github.bloomguard.cache;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.github.bloomguard.testsupport.TestRedis;

/**
 * Tests for guarded caches with Jedis.
 */
class JedisGuardedCacheTests extends AbstractGuardedCacheTests {

	@Override
	Connected connect(TestRedis redis) {
		JedisConnectionFactory factory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
		factory.afterPropertiesSet();
		factory.start();
		return new Connected(factory, factory::destroy);
	}

	@Override
	boolean isAsynchronous() {
		return false;
	}

}
