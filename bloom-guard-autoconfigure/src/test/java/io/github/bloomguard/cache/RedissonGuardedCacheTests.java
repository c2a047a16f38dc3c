package io.github.bloomguard.cache;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.bloomguard.testsupport.TestRedis;

/**
 * Tests for guarded caches with Redisson.
 */
class RedissonGuardedCacheTests extends AbstractGuardedCacheTests {

	private RedissonClient redisson;

	@Override
	RedisConnectionFactory connect(TestRedis redis) {
		Config config = new Config();
		config.useSingleServer().setAddress(redis.url());
		this.redisson = Redisson.create(config);
		return new RedissonConnectionFactory(this.redisson);
	}

	@Override
	void disconnect() {
		this.redisson.shutdown();
	}

}
