package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RawStoredFilter}.
 */
class RawStoredFilterTests extends AbstractRedissonFilterTests {

	private static final BloomLayout LAYOUT = BloomLayout.of(new FilterSpecification("products", 1000, 0.01));

	private static final String WORD_AT = String.valueOf(LAYOUT.sealOffset() / 8);

	@Override
	FilterStore newStore(RedissonClient client, Duration readTimeout, Duration writeTimeout) {
		return new RedissonFilterStore(client, readTimeout, writeTimeout);
	}

	@Override
	String key(String name) {
		return name;
	}

	@Override
	protected Map<String, Consumer<String>> damages() {
		return Map.of("bits deleted", (name) -> redis.command("DEL", name), "bits and config deleted",
				(name) -> redis.command("DEL", name, config(name)), "everything flushed",
				(name) -> redis.command("FLUSHALL"), "bits of the wrong type", (name) -> {
					redis.command("DEL", name);
					redis.command("LPUSH", name, "x");
				}, "bits emptied", (name) -> redis.command("SET", name, ""), "bits cut off",
				(name) -> redisson.getBucket(name, StringCodec.INSTANCE).set("x".repeat(100)), "word overwritten",
				(name) -> redis.command("SETRANGE", name, WORD_AT, "whatever"), "all bits set",
				(name) -> redis.command("SET", name, "\u007f".repeat((int) LAYOUT.lengthInBytes())),
				"replaced by another filter", (name) -> {
					String other = newName();
					createSealed(other);
					redis.command("DEL", name);
					redis.command("RENAME", other, name);
				}, "deleted and initialised anew", (name) -> {
					redis.command("DEL", name, config(name));
					RBloomFilter<String> filter = redisson.getBloomFilter(name, StringCodec.INSTANCE);
					filter.tryInit(1000, 0.01);
					filter.add("other");
				});
	}

	@Test
	void damagedFilterTakesNoElementsAndIsDeleted() {
		damages().forEach((damage, consumer) -> {
			String name = newName();
			StoredFilter filter = createSealed(name);
			consumer.accept(name);
			assertIsGone(filter);
			assertThat(redis.keys(name.replace("{", "\\{") + "*")).as(damage).isEmpty();
		});
	}

	@Test
	void filterDoesNotNeedTheConfigOfRedisson() {
		String name = newName();
		StoredFilter filter = createSealed(name);
		redis.command("DEL", config(name));
		filter.add(List.of("added")).join();
		assertIsIntact(filter);
		assertThat(filter.lookup("added").join()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void plainRedissonReadsAndWritesTheSameBits() {
		String name = newName();
		StoredFilter filter = createSealed(name);
		filter.add(IntStream.range(0, 900).mapToObj(String::valueOf).toList()).join();
		RBloomFilter<String> plain = redisson.getBloomFilter(name, StringCodec.INSTANCE);
		for (int i = 0; i < 900; i++) {
			assertThat(plain.contains(String.valueOf(i))).isTrue();
		}
		for (int i = 1000; i < 2000; i++) {
			assertThat(filter.lookup(String.valueOf(i)).join())
				.isEqualTo(plain.contains(String.valueOf(i)) ? Membership.MAYBE : Membership.ABSENT);
		}
		plain.add("added by Redisson");
		assertThat(filter.lookup("added by Redisson").join()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void redisIsNotStoppedToCountTheBitsOfALargeFilter() {
		String name = newName();
		StoredFilter filter = newStore().create(name, new FilterSpecification("products", 10_000_000, 0.01)).join();
		filter.add(List.of("1", "2", "3")).join();
		long counted = filter.bitsSet().join();
		redis.command("SETRANGE", name, String.valueOf(BitCount.PART), "\u007f".repeat(1000));
		assertThat(filter.bitsSet().join()).isEqualTo(counted);
	}

	@Test
	void wordIsNotCountedAsBits() {
		StoredFilter filter = createSealed(newName());
		assertThat(filter.bitsSet().join()).isBetween(1L, (long) LAYOUT.hashFunctions());
	}

	@Test
	void wholeStringIsThereFromTheBeginning() {
		String name = newName();
		create(name);
		assertThat(redis.command("STRLEN", name)).isEqualTo(String.valueOf(LAYOUT.lengthInBytes()));
	}

	@Test
	void sealingTwiceIsSealingOnce() {
		String name = newName();
		StoredFilter filter = createSealed(name);
		assertThat(filter.seal().join()).isTrue();
		assertIsIntact(filter);
	}

	@Test
	void lookupsThatWaitAtTheSameMomentTravelTogether() {
		StoredFilter filter = createSealed(newName());
		filter.lookup("warm").join();
		filter.add(IntStream.range(0, 500).mapToObj(String::valueOf).toList()).join();
		redis.command("CONFIG", "RESETSTAT");
		List<CompletableFuture<Membership>> answers = new ArrayList<>();
		redis.freeze();
		try {
			for (int i = 0; i < 1000; i++) {
				answers.add(filter.lookup(String.valueOf(i)));
			}
		}
		finally {
			redis.thaw();
		}
		for (int i = 0; i < 500; i++) {
			assertThat(answers.get(i).join()).isEqualTo(Membership.MAYBE);
		}
		assertThat(answers.subList(500, 1000).stream().filter((answer) -> answer.join() == Membership.ABSENT).count())
			.isGreaterThan(450);
		assertThat(redis.calls("bitfield_ro")).isBetween(2L, 20L);
	}

	@Test
	void lookupThatIsAloneIsSentAtOnceAndByOneCommand() {
		StoredFilter filter = createSealed(newName());
		redis.command("CONFIG", "RESETSTAT");
		for (int i = 0; i < 50; i++) {
			filter.lookup("present").join();
		}
		assertThat(redis.calls("bitfield_ro")).isEqualTo(50);
		assertThat(redis.calls("evalsha") + redis.calls("eval")).isZero();
	}

}
