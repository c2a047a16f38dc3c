package io.github.bloomguard.cache;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.bloomguard.testsupport.TestRedis;

/**
 * Tests for guarded caches with Lettuce.
 */
class LettuceGuardedCacheTests extends AbstractGuardedCacheTests {

	private LettuceConnectionFactory connectionFactory;

	@Override
	RedisConnectionFactory connect(TestRedis redis) {
		this.connectionFactory = new LettuceConnectionFactory("127.0.0.1", redis.port());
		this.connectionFactory.afterPropertiesSet();
		this.connectionFactory.start();
		return this.connectionFactory;
	}

	@Override
	void disconnect() {
		this.connectionFactory.destroy();
	}

}
