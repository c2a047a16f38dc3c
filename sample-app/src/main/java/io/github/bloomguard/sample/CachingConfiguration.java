package io.github.bloomguard.sample;

import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/**
 * Switches {@code @Cacheable} on. The filter needs no such switch.
 */
@Configuration(proxyBeanMethods = false)
@EnableCaching
class CachingConfiguration {

}
