package io.github.bloomguard.filter.redisson;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LayoutCheck}, and for instances that come to different results.
 */
@ExtendWith(OutputCaptureExtension.class)
class LayoutCheckTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1000, 0.01);

	private static TestRedis redis;

	private static RedissonClient redisson;

	private final String name = "filter:{" + UUID.randomUUID() + "}";

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

	@Test
	void redissonOfTodayIsAsExpected() {
		LayoutCheck check = new LayoutCheck(redisson, BloomLayout::of);
		assertThat(check.known()).isNull();
		assertThat(check.check(this.name).join()).isTrue();
		assertThat(check.known()).isTrue();
		assertNothingIsLeft();
	}

	private void assertNothingIsLeft() {
		Awaitility.await().until(() -> redis.keys("*:check:*").isEmpty());
	}

	@Test
	void otherIndexesAreNoticedAndReportedOnce(CapturedOutput output) {
		FilterStore store = fallback(redisson);
		for (int i = 0; i < 3; i++) {
			assertThat(store.open(this.name + i, SPECIFICATION).lookup("a").join()).isEqualTo(Membership.UNKNOWN);
		}
		assertThat(output.getAll().split("are not read directly", -1)).hasSize(2);
		assertNothingIsLeft();
	}

	@Test
	void bitsInOtherPlacesAreNoticed(CapturedOutput output) {
		LayoutCheck check = new LayoutCheck(redisson,
				(specification) -> new BloomLayout(specification.bits(), specification.hashes()) {

					@Override
					void indexes(String element, long[] target, int from) {
						super.indexes(element, target, from);
						target[from] ^= 1;
					}

				});
		assertThat(check.check(this.name).join()).isFalse();
		assertThat(output).contains("not where they are expected");
	}

	@Test
	void clientThatIsNotRedissonsOwnIsUsedByItsPublicMethods() {
		RedissonClient wrapped = (RedissonClient) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RedissonClient.class }, (proxy, method, args) -> method.invoke(redisson, args));
		FilterStore store = new RedissonFilterStore(wrapped, TIMEOUT, TIMEOUT);
		assertAnswers(createSealed(store));
		assertThat(redis.command("EXISTS", RedissonFilterStore.plainName(this.name))).isEqualTo("1");
	}

	@Test
	void commandThatIsForbiddenIsDoneWithout(CapturedOutput output) {
		redis.command("ACL", "SETUSER", "limited", "on", ">secret", "~*", "&*", "+@all", "-bitfield_ro");
		RedissonClient limited = RedissonClients.of(redis, user("limited"));
		try {
			FilterStore store = new RedissonFilterStore(limited, TIMEOUT, TIMEOUT);
			assertAnswers(createSealed(store));
			assertThat(output).contains("They can't be read: NOPERM");
		}
		finally {
			limited.shutdown();
		}
	}

	private static Consumer<Config> user(String name) {
		return (config) -> config.setUsername(name).setPassword("secret");
	}

	@Test
	void checkThatGetsNoAnswerIsRepeated() {
		FilterStore store = new RedissonFilterStore(redisson, TIMEOUT, TIMEOUT);
		StoredFilter filter = store.open(this.name, SPECIFICATION);
		redis.freeze();
		try {
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> filter.lookup("absent").join())
				.withCauseInstanceOf(RedisTimeoutException.class);
		}
		finally {
			redis.thaw();
		}
		createSealed(store);
		assertAnswers(filter);
		assertThat(redis.command("EXISTS", this.name)).isEqualTo("1");
	}

	@Test
	void manyWhoWaitForTheCheckLetItBeDoneOnce() {
		AtomicInteger checks = new AtomicInteger();
		LayoutCheck check = new LayoutCheck(redisson, (specification) -> {
			checks.incrementAndGet();
			return BloomLayout.of(specification);
		});
		List<?> results = IntStream.range(0, 50).mapToObj((i) -> check.check(this.name)).toList();
		assertThat(results).hasSize(50);
		assertThat(check.check(this.name).join()).isTrue();
		assertThat(checks.get()).isOne();
	}

	@Test
	void instanceOfTheOtherKindIsNotTrusted() {
		StoredFilter raw = createSealed(raw());
		assertKnowsNothing(fallback(redisson).open(this.name, SPECIFICATION));
		assertAnswers(raw);
		raw().delete(this.name).join();
		StoredFilter plain = createSealed(fallback(redisson));
		assertKnowsNothing(raw().open(this.name, SPECIFICATION));
		assertAnswers(plain);
	}

	@Test
	void filterToWhichTheOtherKindWouldAddIsDeleted() {
		StoredFilter raw = createSealed(raw());
		assertIsGone(fallback(redisson).open(this.name, SPECIFICATION));
		assertThat(raw.lookup("new").join()).isEqualTo(Membership.UNKNOWN);
		StoredFilter plain = createSealed(fallback(redisson));
		assertIsGone(raw().open(this.name, SPECIFICATION));
		assertThat(plain.lookup("new").join()).isEqualTo(Membership.UNKNOWN);
	}

	@Test
	void filterOfAnEarlierVersionIsNotTrusted() {
		RBloomFilter<String> earlier = redisson.getBloomFilter(this.name, StringCodec.INSTANCE);
		earlier.tryInit(SPECIFICATION.expectedInsertions(), SPECIFICATION.falsePositiveProbability());
		earlier.add(List.of("present", "\0seal:" + this.name));
		for (FilterStore store : List.of(raw(), fallback(redisson))) {
			assertKnowsNothing(store.open(this.name, SPECIFICATION));
			assertThat(store.open(this.name, SPECIFICATION).isIntact().join()).isFalse();
		}
	}

	private static FilterStore raw() {
		return new RedissonFilterStore(redisson, TIMEOUT, TIMEOUT);
	}

	private static FilterStore fallback(RedissonClient client) {
		return new RedissonFilterStore(client, TIMEOUT, TIMEOUT, RedissonStoredFilterTests.failingCheck(client));
	}

	private StoredFilter createSealed(FilterStore store) {
		StoredFilter filter = store.create(this.name, SPECIFICATION).join();
		filter.add(List.of("present")).join();
		assertThat(filter.seal().join()).isTrue();
		return filter;
	}

	private static void assertAnswers(StoredFilter filter) {
		assertThat(filter.lookup("present").join()).isEqualTo(Membership.MAYBE);
		assertThat(filter.lookup("absent").join()).isEqualTo(Membership.ABSENT);
	}

	private static void assertKnowsNothing(StoredFilter filter) {
		assertThat(filter.lookup("present").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(filter.lookup("absent").join()).isEqualTo(Membership.UNKNOWN);
	}

	private static void assertIsGone(StoredFilter filter) {
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> filter.add(List.of("new")).join())
			.withCauseInstanceOf(FilterGoneException.class);
	}

}
