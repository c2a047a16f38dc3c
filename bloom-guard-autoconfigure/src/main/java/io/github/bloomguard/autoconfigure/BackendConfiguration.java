package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import org.redisson.Redisson;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Where filters are kept. Made when the first filter needs it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Redisson.class)
class BackendConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	FilterBackend bloomGuardBackend(RedisAccess redis, BloomGuardProperties properties) {
		return new RedisBackend(redis, properties.keyPrefix(), properties.timeout());
	}

}
