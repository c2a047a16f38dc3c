package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.StoredFilterContractTests;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.Codec;
import org.redisson.client.codec.LongCodec;
import org.redisson.codec.Kryo5Codec;
import org.redisson.codec.SerializationCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedissonStoredFilter}, with a client that has Redisson's default
 * codec.
 */
class RedissonStoredFilterTests extends StoredFilterContractTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static TestRedis redis;

	private static RedissonClient redisson;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		redisson = RedissonClients.of(redis, (config) -> config.setCodec(new Kryo5Codec()));
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		redis.close();
	}

	@Override
	protected FilterStore newStore() {
		return newStore(redisson);
	}

	private static FilterStore newStore(RedissonClient client) {
		return new RedissonFilterStore(client, TIMEOUT, TIMEOUT);
	}

	@Override
	protected Map<String, Consumer<String>> damages() {
		return Map.of("bits deleted", (name) -> redis.command("DEL", name), "config deleted",
				(name) -> redis.command("DEL", config(name)), "bits and config deleted",
				(name) -> redis.command("DEL", name, config(name)), "everything flushed",
				(name) -> redis.command("FLUSHALL"), "bits of the wrong type", (name) -> {
					redis.command("DEL", name);
					redis.command("LPUSH", name, "x");
				}, "config of the wrong type", (name) -> {
					redis.command("DEL", config(name));
					redis.command("SET", config(name), "x");
				}, "config of another size", (name) -> redis.command("HSET", config(name), "size", "123457"),
				"config without a size", (name) -> redis.command("HDEL", config(name), "size"),
				"deleted and initialised anew", (name) -> {
					redis.command("DEL", name, config(name));
					redisson.getBloomFilter(name).tryInit(1000, 0.01);
				});
	}

	private static String config(String name) {
		return name + ":config";
	}

	@Test
	void filterWithoutItsConfigTakesNoElements() {
		for (String damage : List.of("config deleted", "bits and config deleted", "bits of the wrong type",
				"config of the wrong type", "config of another size")) {
			String name = newName();
			StoredFilter filter = createSealed(name);
			damages().get(damage).accept(name);
			assertIsGone(filter);
		}
	}

	static Stream<Codec> codecs() {
		return Stream.of(new SerializationCodec(), LongCodec.INSTANCE, ByteArrayCodec.INSTANCE);
	}

	@ParameterizedTest
	@MethodSource("codecs")
	void codecOfTheClientDoesNotMatter(Codec codec) {
		RedissonClient other = RedissonClients.of(redis, (config) -> config.setCodec(codec));
		try {
			String name = newName();
			StoredFilter filter = createSealed(name);
			assertIsIntact(open(newStore(other), name));
			open(newStore(other), name).add(List.of("added")).join();
			assertThat(filter.lookup("added").join()).isEqualTo(filter.lookup("present").join());
		}
		finally {
			other.shutdown();
		}
	}

	@Test
	void replicaThatHasNothingIsNotAsked() {
		try (TestRedis replica = redis.startReplica()) {
			RedissonClient client = RedissonClients.readingFrom(redis, replica);
			try {
				String name = newName();
				createSealed(name);
				lose(replica, name, config(name));
				assertThatException().as("plain reads go to the replica")
					.isThrownBy(() -> client.getBloomFilter(name).getSize());
				assertIsIntact(open(newStore(client), name));
			}
			finally {
				client.shutdown();
			}
		}
	}

	private static void lose(TestRedis replica, String... keys) {
		replica.command("CONFIG", "SET", "replica-read-only", "no");
		for (String key : keys) {
			Awaitility.await().until(() -> "1".equals(replica.command("DEL", key)));
		}
	}

	@Test
	void lookupInAFrozenServerFailsInTime() {
		String name = newName();
		FilterStore store = new RedissonFilterStore(redisson, Duration.ofMillis(200), TIMEOUT);
		createSealed(name);
		StoredFilter warm = open(store, name);
		assertIsIntact(warm);
		redis.freeze();
		try {
			for (StoredFilter filter : List.of(warm, open(store, name))) {
				long start = System.nanoTime();
				assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> filter.lookup("present").join())
					.satisfies((ex) -> assertThat(ex).hasRootCauseInstanceOf(RedisTimeoutException.class));
				assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isLessThan(1500);
			}
		}
		finally {
			redis.thaw();
		}
		assertIsIntact(warm);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void elementsThatAFrozenServerDidNotTakeAreNotTakenForElementsOfALostFilter(boolean scriptCache) {
		String name = newName();
		createSealed(name);
		RedissonClient client = RedissonClients.of(redis, (config) -> {
			config.setUseScriptCache(scriptCache);
			config.useSingleServer().setRetryAttempts(0);
		});
		try {
			StoredFilter filter = open(new RedissonFilterStore(client, TIMEOUT, Duration.ofMillis(200)), name);
			filter.add(List.of("added")).join();
			redis.freeze();
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> filter.add(List.of("other")).join())
				.satisfies((ex) -> assertThat(ex).hasRootCauseInstanceOf(RedisTimeoutException.class));
		}
		finally {
			redis.thaw();
			client.shutdown();
		}
	}

}
