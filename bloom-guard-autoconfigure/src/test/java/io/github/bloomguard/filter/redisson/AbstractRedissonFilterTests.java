package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
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
 * What holds for both kinds of filters, with a client that has Redisson's default codec.
 */
abstract class AbstractRedissonFilterTests extends StoredFilterContractTests {

	static final Duration TIMEOUT = Duration.ofSeconds(2);

	static TestRedis redis;

	static RedissonClient redisson;

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

	private FilterStore newStore(RedissonClient client) {
		return newStore(client, TIMEOUT, TIMEOUT);
	}

	/**
	 * Return a store of this kind.
	 */
	abstract FilterStore newStore(RedissonClient client, Duration readTimeout, Duration writeTimeout);

	/**
	 * Return the name of the key in which this kind keeps the bits of a filter.
	 */
	abstract String key(String name);

	static String config(String key) {
		return key + ":config";
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
				lose(replica, key(name), config(key(name)));
				assertThatException().as("plain reads go to the replica")
					.isThrownBy(() -> client.getBloomFilter(key(name)).getSize());
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
		FilterStore store = newStore(redisson, Duration.ofMillis(200), TIMEOUT);
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
			StoredFilter filter = open(newStore(client, TIMEOUT, Duration.ofMillis(200)), name);
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
