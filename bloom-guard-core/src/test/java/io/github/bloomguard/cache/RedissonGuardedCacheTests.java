package io.github.bloomguard.cache;

import java.util.concurrent.TimeUnit;

import org.redisson.api.RedissonClient;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;

/**
 * Tests for guarded caches with Redisson.
 */
class RedissonGuardedCacheTests extends AbstractGuardedCacheTests {

	@Override
	Connected connect(TestRedis redis) {
		RedissonClient redisson = RedissonClients.of(redis);
		return new Connected(new RedissonConnectionFactory(redisson), () -> redisson.shutdown(0, 1, TimeUnit.SECONDS));
	}

}
