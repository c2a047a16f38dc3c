package io.github.bloomguard.cache;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.github.bloomguard.testsupport.TestRedis;

/**
 * Tests for guarded caches with Jedis.
 */
class JedisGuardedCacheTests extends AbstractGuardedCacheTests {

	private JedisConnectionFactory connectionFactory;

	@Override
	RedisConnectionFactory connect(TestRedis redis) {
		this.connectionFactory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
		this.connectionFactory.afterPropertiesSet();
		this.connectionFactory.start();
		return this.connectionFactory;
	}

	@Override
	boolean isAsynchronous() {
		return false;
	}

	@Override
	void disconnect() {
		this.connectionFactory.destroy();
	}

}
