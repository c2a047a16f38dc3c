package io.github.bloomguard.sentinel.redisson;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedissonEmptySentinels}.
 */
class RedissonEmptySentinelsTests {

	private static final Duration TTL = Duration.ofMinutes(1);

	private static final String CONTROL = "test:{products}:control";

	private static final long EPOCH = 42;

	private static TestRedis redis;

	private static RedissonClient redisson;

	private final RedissonEmptySentinels sentinels = newSentinels(redisson, TTL);

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		redisson = RedissonClients.of(redis);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		redis.close();
	}

	@BeforeEach
	void prepareRecord() {
		redis.command("FLUSHALL");
		redis.command("HSET", CONTROL, "epoch", String.valueOf(EPOCH));
	}

	private static RedissonEmptySentinels newSentinels(RedissonClient client, Duration markerTtl) {
		return new RedissonEmptySentinels(client, (key) -> "test:{products}:empty:" + key, CONTROL,
				Duration.ofSeconds(2), markerTtl);
	}

	@Test
	void keyIsRememberedForItsScopeAndItsTime() {
		assertThat(contains("7", "")).isFalse();
		remember("7", "", Duration.ofMillis(400));
		assertThat(contains("7", "")).isTrue();
		assertThat(contains("7", "prices")).isFalse();
		assertThat(contains("8", "")).isFalse();
		Awaitility.await().until(() -> !contains("7", ""));
		assertThat(redis.keys("*empty*")).isEmpty();
	}

	@Test
	void laterScopeOfAKeyLivesNoLongerThanTheFirst() {
		remember("7", "brief", Duration.ofMillis(400));
		remember("7", "long", TTL);
		assertThat(contains("7", "long")).isTrue();
		Awaitility.await().until(() -> !contains("7", "brief") && !contains("7", "long"));
	}

	@Test
	void addedKeyIsForgottenInAllScopes() {
		remember("7", "a", TTL);
		remember("7", "b", TTL);
		remember("8", "a", TTL);
		this.sentinels.forget(List.of("7")).join();
		assertThat(contains("7", "a")).isFalse();
		assertThat(contains("7", "b")).isFalse();
		assertThat(contains("8", "a")).isTrue();
	}

	@Test
	void addedKeyIsNotRememberedWhileItsMarkerIsThere() {
		RedissonEmptySentinels brief = newSentinels(redisson, Duration.ofMillis(400));
		brief.forget(List.of("7")).join();
		remember("7", "", TTL);
		assertThat(contains("7", "")).isFalse();
		Awaitility.await().until(() -> redis.keys("*empty*").isEmpty());
		remember("7", "", TTL);
		assertThat(contains("7", "")).isTrue();
	}

	@Test
	void keyThatIsAddedAgainIsMarkedForAllOfTheTime() {
		newSentinels(redisson, Duration.ofMillis(50)).forget(List.of("7")).join();
		this.sentinels.forget(List.of("7")).join();
		assertThat(Long.parseLong(redis.command("PTTL", "test:{products}:empty:7"))).isGreaterThan(50_000);
	}

	@Test
	void nothingIsRememberedOfAnotherEpoch() {
		this.sentinels.remember("7", "", TTL, EPOCH - 1).join();
		this.sentinels.remember("7", "", TTL, 0).join();
		assertThat(contains("7", "")).isFalse();
		redis.command("DEL", CONTROL);
		remember("7", "", TTL);
		assertThat(contains("7", "")).isFalse();
	}

	@Test
	void manyKeysAreForgottenAtOnce() {
		List<String> keys = IntStream.range(0, 2500).mapToObj(String::valueOf).toList();
		remember("0", "", TTL);
		remember("2499", "", TTL);
		this.sentinels.forget(keys).join();
		assertThat(redis.keys("*empty*")).hasSize(2500);
		assertThat(contains("0", "")).isFalse();
		assertThat(contains("2499", "")).isFalse();
	}

	@Test
	void replicaThatStillRemembersIsNotAsked() {
		try (TestRedis replica = redis.startReplica()) {
			RedissonClient client = RedissonClients.readingFrom(redis, replica);
			try {
				remember("7", "", TTL);
				Awaitility.await().until(() -> replica.keys("*empty*").size() == 1);
				replica.command("REPLICAOF", "NO", "ONE");
				this.sentinels.forget(List.of("7")).join();
				assertThat(replica.command("HKEYS", "test:{products}:empty:7")).isEqualTo("empty:");
				assertThat(newSentinels(client, TTL).contains("7", "").join()).isFalse();
			}
			finally {
				client.shutdown();
			}
		}
	}

	private void remember(String key, String scope, Duration ttl) {
		this.sentinels.remember(key, scope, ttl, EPOCH).join();
	}

	private boolean contains(String key, String scope) {
		return this.sentinels.contains(key, scope).join();
	}

}
