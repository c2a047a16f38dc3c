package io.github.bloomguard.backend.redis;

import java.time.Duration;

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisEmptySentinels}.
 */
class RedisEmptySentinelsTests {

	private static final Duration TTL = Duration.ofMinutes(1);

	private static final String CONTROL = "test:{products}:control";

	private static final String ADDED = "test:{products}:added";

	private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(20);

	private static final long EPOCH = 42;

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static RedissonClient redisson;

	private final RedisEmptySentinels sentinels = newSentinels(redisson, TTL);

	@BeforeAll
	static void start() {
		redisson = RedissonClients.of(redis);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
	}

	@BeforeEach
	void prepareRecord() {
		redis.command("FLUSHALL");
		redis.command("HSET", CONTROL, "epoch", String.valueOf(EPOCH), "since", "0");
		redis.command("ZADD", ADDED, "+inf", "");
	}

	private static RedisEmptySentinels newSentinels(RedissonClient client, Duration addedRetention) {
		return newSentinels(client, addedRetention, "origin");
	}

	private static RedisEmptySentinels newSentinels(RedissonClient client, Duration addedRetention, String origin) {
		return new RedisEmptySentinels(new RedisAccess(client, Runnable::run), new RedisKeys("test", "products"),
				new BackendSettings("products", origin, LONGEST_TRANSACTION, Duration.ZERO, addedRetention, 0),
				Duration.ofSeconds(2));
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
	void whatAnApplicationWithOtherSourcesDidNotFindIsNotKnown() {
		remember("7", "findById", TTL);
		assertThat(newSentinels(redisson, TTL, "other").contains("7", "findById").join()).isFalse();
	}

	@Test
	void keyThatWasAddedLatelyIsNotRemembered() {
		add("7", now());
		remember("7", "", TTL);
		remember("8", "", TTL);
		assertThat(contains("7", "")).isFalse();
		assertThat(contains("8", "")).isTrue();
		add("7", now() - TTL.toMillis());
		remember("7", "", TTL);
		assertThat(contains("7", "")).isTrue();
	}

	@Test
	void nothingIsRememberedWhileItIsNotKnownWhichKeysWereAddedLately() {
		redis.command("DEL", ADDED);
		remember("7", "", TTL);
		assertThat(contains("7", "")).isFalse();
		redis.command("ZADD", ADDED, "+inf", "");
		since(now());
		remember("7", "", TTL);
		assertThat(contains("7", "")).isFalse();
		since(now() - LONGEST_TRANSACTION.toMillis());
		remember("7", "", TTL);
		assertThat(contains("7", "")).isTrue();
	}

	@Test
	void sentinelCountsInTheEpochInWhichItWasWritten() {
		remember("7", "", TTL);
		redis.command("HSET", CONTROL, "epoch", String.valueOf(EPOCH + 1));
		assertThat(contains("7", "")).isFalse();
		redis.command("DEL", CONTROL);
		assertThat(contains("7", "")).isFalse();
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
	void replicaThatStillRemembersIsNotAsked() {
		try (TestRedis replica = redis.startReplica()) {
			RedissonClient client = RedissonClients.readingFrom(redis, replica);
			try {
				remember("7", "", TTL);
				Awaitility.await().until(() -> replica.keys("*empty*").size() == 1);
				replica.command("REPLICAOF", "NO", "ONE");
				redis.command("DEL", redis.keys("*empty*").iterator().next());
				assertThat(replica.keys("*empty*")).hasSize(1);
				assertThat(newSentinels(client, TTL).contains("7", "").join()).isFalse();
			}
			finally {
				client.shutdown();
			}
		}
	}

	private static void add(String key, long at) {
		redis.command("ZADD", ADDED, String.valueOf(at), ":" + key);
	}

	private static void since(long since) {
		redis.command("HSET", CONTROL, "since", String.valueOf(since));
	}

	/**
	 * Return the time of the server in milliseconds: it runs on this machine.
	 */
	private static long now() {
		return System.currentTimeMillis();
	}

	private void remember(String key, String scope, Duration ttl) {
		this.sentinels.remember(key, scope, ttl, EPOCH).join();
	}

	private boolean contains(String key, String scope) {
		return this.sentinels.contains(key, scope).join();
	}

}
