package io.github.bloomguard.compatibility;

import java.util.Locale;

import io.github.bloomguard.compatibility.catalogue.Catalogue;
import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.compatibility.catalogue.SelfCheck;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.cache.CacheManager;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application that caches in memory goes on to do so, and that the guard
 * has a connection to Redis all the same.
 */
class CaffeineTests {

	private static TestRedis redis;

	private static ConfigurableApplicationContext context;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		context = CatalogueApplication.application(redis.properties()).run();
	}

	@AfterAll
	static void stop() {
		context.close();
		redis.close();
	}

	@Test
	void guardIsConnectedByThePropertiesAlone() {
		assertThat(SelfCheck.run(context)).isEqualTo(SelfCheck.GUARDED);
		assertThat(redis.keys("*")).isNotEmpty().allMatch((key) -> key.startsWith("bloom-guard:"));
	}

	@Test
	void cachesStayInMemory() {
		assertThat(context.getBean(CacheManager.class)).isInstanceOf(CaffeineCacheManager.class);
		SelfCheck.run(context);
		Catalogue catalogue = context.getBean(Catalogue.class);
		int before = catalogue.calls();
		assertThat(catalogue.label(7)).isNotNull().isSameAs(catalogue.label(7));
		assertThat(catalogue.calls()).isEqualTo(before + 1);
	}

	@Test
	void thereIsNoConnectionOfSpring() {
		assertThat(context.getBeanDefinitionNames())
			.filteredOn((name) -> name.toLowerCase(Locale.ROOT).contains("redis"))
			.isNotEmpty()
			.allMatch((name) -> name.contains("bloomGuard") || name.contains("bloomguard"));
		assertThat(Web.of(context).get("/actuator/health").body()).contains("\"bloomGuard\"")
			.doesNotContain("\"redis\"");
	}

}
