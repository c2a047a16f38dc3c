package io.github.bloomguard.compatibility;

import io.github.bloomguard.compatibility.catalogue.Catalogue;
import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.compatibility.catalogue.SelfCheck;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.Test;

import org.springframework.cache.CacheManager;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the only provider of JCache that an application has is the one that is used,
 * although Redisson is a provider, too.
 */
class JCacheTests {

	@Test
	void cacheManagerIsThatOfTheApplicationsProvider() {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext context = CatalogueApplication.application(redis.properties())
					.properties("spring.cache.cache-names=products")
					.run()) {
			CacheManager manager = context.getBean(CacheManager.class);
			assertThat(manager).isInstanceOf(JCacheCacheManager.class);
			assertThat(((JCacheCacheManager) manager).getCacheManager().getClass().getName())
				.startsWith("org.ehcache.");
			assertThat(SelfCheck.run(context)).isEqualTo(SelfCheck.GUARDED);
			Catalogue catalogue = context.getBean(Catalogue.class);
			int before = catalogue.calls();
			assertThat(catalogue.find(7)).isNotNull().isEqualTo(catalogue.find(7));
			assertThat(catalogue.calls()).isEqualTo(before + 1);
		}
	}

}
