package io.github.bloomguard.compatibility;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application is guarded with a newer Redis than the one that the tests
 * bring along.
 */
@ExtendWith(InstalledRedis.class)
class InstalledRedisTests extends GuardedApplicationTests {

	@Test
	void redisIsTheInstalledOne() {
		String version = redis().command("INFO", "server").replaceAll("(?s).*redis_version:(\\d+).*", "$1");
		assertThat(Integer.parseInt(version)).isGreaterThanOrEqualTo(InstalledRedis.OLDEST);
	}

}
