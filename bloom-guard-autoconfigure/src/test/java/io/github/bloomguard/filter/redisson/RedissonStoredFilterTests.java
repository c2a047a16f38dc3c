package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

/**
 * Tests for {@link RedissonStoredFilter}, with a layout that this Redisson does not have.
 */
class RedissonStoredFilterTests extends AbstractRedissonFilterTests {

	private static final Map<RedissonClient, LayoutCheck> checks = new HashMap<>();

	@Override
	FilterStore newStore(RedissonClient client, Duration readTimeout, Duration writeTimeout) {
		return new RedissonFilterStore(client, readTimeout, writeTimeout,
				checks.computeIfAbsent(client, RedissonStoredFilterTests::failingCheck));
	}

	static LayoutCheck failingCheck(RedissonClient client) {
		return new LayoutCheck(client,
				(specification) -> new BloomLayout(specification.bits() - 1, specification.hashes()));
	}

	@Override
	String key(String name) {
		return RedissonFilterStore.plainName(name);
	}

	@Override
	protected Map<String, Consumer<String>> damages() {
		return Map.of("bits deleted", (name) -> redis.command("DEL", key(name)), "config deleted",
				(name) -> redis.command("DEL", config(key(name))), "bits and config deleted",
				(name) -> redis.command("DEL", key(name), config(key(name))), "everything flushed",
				(name) -> redis.command("FLUSHALL"), "bits of the wrong type", (name) -> {
					redis.command("DEL", key(name));
					redis.command("LPUSH", key(name), "x");
				}, "config of the wrong type", (name) -> {
					redis.command("DEL", config(key(name)));
					redis.command("SET", config(key(name)), "x");
				}, "config of another size", (name) -> redis.command("HSET", config(key(name)), "size", "123457"),
				"config without a size", (name) -> redis.command("HDEL", config(key(name)), "size"),
				"deleted and initialised anew", (name) -> {
					redis.command("DEL", key(name), config(key(name)));
					redisson.getBloomFilter(key(name)).tryInit(1000, 0.01);
				});
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

}
