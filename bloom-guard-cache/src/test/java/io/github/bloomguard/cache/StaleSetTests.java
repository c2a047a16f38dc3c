/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.cache;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.cache.RedisCacheManager.RedisCacheManagerBuilder;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.bloomguard.cache.CacheRules.SharedLoads;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestTransactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Walks through all orders of the steps of readers and writers of one row, each in an
 * instance of its own: what is read after an update has returned is never older than that
 * update. The steps are the commands that the real writer sends to a real Redis, the load
 * and the commit. What Redis loses, it loses between any two of them.
 * <p>
 * The walk is known to find what it looks for: it does so with each {@link Flaw}.
 */
@Tag("slow")
class StaleSetTests {

	private static final int ID = 7;

	private static final String ENTRY = "products::7";

	private static final String COPY = "bloom-guard:cache:stale:{products::7}";

	private static final String TOKEN = "bloom-guard:cache:load:{products::7}";

	private static final String EPOCH = "bloom-guard:cache:epoch";

	private static final String TOKENS = "bloom-guard:cache:loads:{products}";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static JedisConnectionFactory connections;

	@AutoClose
	private final Interleaved steps = new Interleaved();

	private final AtomicInteger row = new AtomicInteger();

	private final AtomicInteger returned = new AtomicInteger();

	private volatile String violation;

	private volatile String stalled = "";

	private volatile int storedLate;

	private volatile boolean tokensAreLate;

	private volatile int storedUnderEpoch;

	private volatile String epoch = "";

	private Runnable learns = () -> {
	};

	private volatile byte[] replica;

	private CacheRules rules = CacheRules.DEFAULT;

	@BeforeAll
	static void connect() {
		connections = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", redis.port()),
				JedisClientConfiguration.builder().readTimeout(Duration.ofMinutes(1)).usePooling().build());
		connections.afterPropertiesSet();
		connections.start();
	}

	@AfterAll
	static void disconnect() {
		connections.destroy();
	}

	@ParameterizedTest
	@EnumSource
	void whatIsReadAfterAnUpdateIsNotOlder(Update update) {
		reader("reader", CachedProducts::find, Flaw.NONE);
		writer(update, Flaw.NONE);
		assertThat(walk()).isGreaterThan(10);
	}

	@ParameterizedTest
	@EnumSource
	void whatIsReadOnceAfterAnUpdateIsNotOlder(Update update) {
		reader("reader", CachedProducts::findOnce, Flaw.NONE);
		writer(update, Flaw.NONE);
		assertThat(walk()).isGreaterThan(10);
	}

	/**
	 * The value is put after the commit of the reader's transaction.
	 */
	@ParameterizedTest
	@EnumSource
	void whatIsReadAfterAnUpdateIsNotOlderIfTheCacheTakesPartInTransactions(Update update) {
		TransactionTemplate transactions = new TransactionTemplate(new TestTransactions());
		reader("reader", (products, id) -> transactions.execute((status) -> products.find(id)), Flaw.NONE);
		writer(update, Flaw.NONE);
		assertThat(walk()).isGreaterThan(10);
	}

	/**
	 * What the reader has loaded is stored in the background, whenever that has its turn.
	 */
	@ParameterizedTest
	@EnumSource
	@Tag("proof")
	void whatIsStoredLateIsNotOlderThanAnUpdate(Update update) {
		reader("reader", CachedProducts::find, Flaw.NONE);
		writer(update, Flaw.NONE);
		stallingRedis();
		assertThat(walk()).isGreaterThan(10);
		assertThat(this.storedLate).isPositive();
	}

	/**
	 * The reader is told no token in time. It knows an epoch from before, and learns
	 * another one whenever that has its turn.
	 */
	@ParameterizedTest
	@EnumSource
	void whatIsStoredUnderAnEpochIsNotOlderThanAnUpdate(Update update) {
		reader("reader", CachedProducts::find, Flaw.NONE);
		writer(update, Flaw.NONE);
		lateTokens();
		assertThat(walk()).isGreaterThan(10);
		assertThat(this.storedUnderEpoch).isPositive();
	}

	@ParameterizedTest
	@EnumSource
	void whatIsStoredOnceUnderAnEpochIsNotOlderThanAnUpdate(Update update) {
		reader("reader", CachedProducts::findOnce, Flaw.NONE);
		writer(update, Flaw.NONE);
		lateTokens();
		assertThat(walk()).isGreaterThan(10);
		assertThat(this.storedUnderEpoch).isPositive();
	}

	@ParameterizedTest
	@EnumSource
	void whatIsStoredUnderAnEpochAfterTheCommitIsNotOlderThanAnUpdate(Update update) {
		TransactionTemplate transactions = new TransactionTemplate(new TestTransactions());
		reader("reader", (products, id) -> transactions.execute((status) -> products.find(id)), Flaw.NONE);
		writer(update, Flaw.NONE);
		lateTokens();
		assertThat(walk()).isGreaterThan(10);
		assertThat(this.storedUnderEpoch).isPositive();
	}

	@ParameterizedTest
	@EnumSource(names = { "EVICT", "CLEAR", "PUT" })
	@Tag("proof")
	void lostEpochMakesNothingOlder(Update update) {
		reader("reader", CachedProducts::find, Flaw.NONE);
		writer(update, Flaw.NONE);
		lateTokens();
		losingRedis(EPOCH);
		assertThat(walk()).isGreaterThan(10);
	}

	@ParameterizedTest
	@CsvSource({ "EVICT_KEEPS_EPOCH,EVICT", "EVICT_KEEPS_EPOCH,CLEAR", "EVICT_KEEPS_EPOCH,EVICT_BEFORE",
			"PUT_KEEPS_EPOCH,PUT" })
	void walkFindsEachFlawOfAnEpoch(Flaw flaw, Update update) {
		reader("reader", CachedProducts::find, flaw);
		writer(update, flaw);
		lateTokens();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this::walk)
			.withMessageContaining("after the update");
	}

	/**
	 * A copy is kept for ten minutes beyond its entry. Redis leaves the reader without an
	 * answer from some step on until another.
	 */
	@ParameterizedTest
	@EnumSource
	@Tag("proof")
	void expiredValueThatIsServedIsNotOlderThanAnUpdate(Update update) {
		this.rules = new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofSeconds(30), SharedLoads.DEFAULT, 0,
				Duration.ofMinutes(10), true);
		reader("reader", CachedProducts::find, Flaw.NONE);
		writer(update, Flaw.NONE);
		stallingRedis();
		assertThat(walk()).isGreaterThan(10);
	}

	@ParameterizedTest
	@CsvSource({ "EVICT," + ENTRY, "EVICT," + TOKEN, "CLEAR," + TOKENS, "PUT," + TOKEN })
	@Tag("proof")
	void whatRedisLosesMakesNothingOlder(Update update, String lost) {
		reader("reader", CachedProducts::find, Flaw.NONE);
		reader("second reader", CachedProducts::find, Flaw.NONE);
		writer(update, Flaw.NONE);
		losingRedis(lost);
		assertThat(walk()).isGreaterThan(10);
	}

	@ParameterizedTest
	@CsvSource({ "NO_TOKENS,EVICT", "NO_TOKENS,CLEAR", "NO_TOKENS,PUT", "EVICT_KEEPS_TOKENS,EVICT",
			"EVICT_KEEPS_TOKENS,CLEAR", "PUT_KEEPS_TOKENS,PUT", "SAME_TOKENS,EVICT", "SAME_TOKENS,CLEAR",
			"LAGGING_REPLICA,EVICT", "LAGGING_REPLICA,CLEAR", "LAGGING_REPLICA,PUT" })
	void walkFindsEachFlaw(Flaw flaw, Update update) {
		reader("reader", CachedProducts::find, flaw);
		reader("second reader", CachedProducts::find, flaw);
		writer(update, flaw);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this::walk)
			.withMessageContaining("after the update");
	}

	private void lateTokens() {
		this.tokensAreLate = true;
		this.steps.actor("reader's epoch", this.learns);
	}

	private void losingRedis(String lost) {
		this.steps.actor("Redis", () -> {
			this.steps.step("Redis", "loses " + lost);
			delete(lost);
		});
	}

	private void stallingRedis() {
		this.steps.actor("Redis", () -> {
			this.steps.step("Redis", "stalls");
			this.stalled = "reader";
			this.steps.step("Redis", "goes on");
			this.stalled = "";
		});
	}

	private void reader(String name, Read read, Flaw flaw) {
		GuardedInstance instance = instance(name, flaw);
		this.learns = instance.guard.parts().epoch()::ask;
		CachedProducts products = CachedProducts.of(instance.manager, (id) -> {
			this.steps.step(name, "loads");
			int loaded = this.row.get();
			this.steps.told(name, String.valueOf(loaded));
			return loaded;
		});
		read.read(products, ID);
		this.steps.actor(name, () -> {
			this.steps.step(name, "begins");
			int before = this.returned.get();
			this.steps.told(name, String.valueOf(before));
			int value = read.read(products, ID);
			if (value < before) {
				this.violation = name + " has read " + value + " after the update to " + before;
			}
		});
	}

	private void writer(Update update, Flaw flaw) {
		CachedProducts products = CachedProducts.of(instance("writer", flaw).manager, (id) -> this.row.get());
		update.run(products, () -> {
		});
		this.steps.actor("writer", () -> {
			update.run(products, () -> {
				this.steps.step("writer", "commits");
				this.row.set(1);
			});
			this.returned.set(1);
		});
	}

	private GuardedInstance instance(String name, Flaw flaw) {
		GuardedInstance instance = GuardedInstance.of(SteppedRedis.of(connections, (command, arguments, proceed) -> {
			String what = command.startsWith("eval") ? flaw.spoil((byte[][]) arguments[3]) : command;
			boolean late = isLate();
			String actor = late ? name + " in the background" : what.equals("learns") ? name + "'s epoch" : name;
			if (what.equals("learns") && Thread.currentThread().getName().startsWith("bloom-guard-cache-")) {
				throw new InvalidDataAccessApiUsageException("Only the walk learns an epoch");
			}
			this.steps.step(actor, what);
			if (this.tokensAreLate && name.equals("reader") && what.equals("takes a token")) {
				this.steps.told(name, this.epoch);
				throw new InvalidDataAccessApiUsageException("The token is late");
			}
			if (!late && name.equals(this.stalled)) {
				if (what.equals("stores")) {
					this.steps.begins();
				}
				throw new InvalidDataAccessApiUsageException("Redis stalls");
			}
			Object result = (flaw == Flaw.LAGGING_REPLICA && command.equals("get")) ? this.replica : proceed.call();
			if (flaw == Flaw.LAGGING_REPLICA && what.equals("stores")) {
				this.replica = values(ENTRY).get(0);
			}
			this.steps.told(actor, describe(result));
			if (what.equals("learns")) {
				this.epoch = describe(result);
			}
			if (this.tokensAreLate && what.equals("stores") && Long.valueOf(1).equals(result)) {
				this.storedUnderEpoch++;
			}
			return result;
		}), (flaw != Flaw.NO_TOKENS) ? this.rules : this.rules.withoutTokens(), (config) -> config,
				RedisCacheManagerBuilder::transactionAware);
		instance.listener.afterLatePut = () -> {
			this.storedLate = instance.listener.storedLate.get();
			this.steps.ends();
		};
		return instance;
	}

	/**
	 * Return whether the command goes on in the background.
	 */
	static boolean isLate() {
		return StackWalker.getInstance()
			.walk((frames) -> frames.anyMatch((frame) -> frame.getClassName().equals(LateCommands.class.getName())));
	}

	/**
	 * Walk through all orders. What is in the cache in the end is read, too.
	 */
	private int walk() {
		CachedProducts last = CachedProducts.of(instance("last", Flaw.NONE).manager, (id) -> this.row.get());
		CachedProducts failing = CachedProducts.of(instance("failing", Flaw.NO_TOKENS).manager, (id) -> {
			throw new IllegalStateException();
		});
		return this.steps.walk(() -> {
			flush();
			this.row.set(0);
			this.returned.set(0);
			this.violation = null;
			this.replica = null;
			this.learns.run();
		}, this::world, () -> {
			int value = this.rules.servesStale() ? staleCopy(failing) : last.find(ID);
			return (value < 1) ? "The last reader has read " + value + " after the update to 1" : this.violation;
		});
	}

	private static int staleCopy(CachedProducts failing) {
		delete(ENTRY);
		try {
			return failing.findOnce(ID);
		}
		catch (IllegalStateException ex) {
			return 1;
		}
	}

	private String world() {
		return values(ENTRY, COPY, TOKEN, TOKENS, EPOCH).stream().map(StaleSetTests::describe).toList() + " " + this.row
				+ this.returned + this.stalled + describe(this.replica);
	}

	private static List<byte[]> values(String... keys) {
		try (RedisConnection connection = connections.getConnection()) {
			return connection.stringCommands()
				.mGet(Stream.of(keys).map((key) -> key.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new));
		}
	}

	/**
	 * Write tokens down as what they are, also with the number of their holders, and all
	 * else by its hash.
	 */
	private static String describe(Object result) {
		if (result instanceof byte[] bytes) {
			return (bytes.length == 16 || bytes.length == 33)
					? HexFormat.of().formatHex(bytes, bytes.length % 16, bytes.length)
					: (bytes.length == 17) ? HexFormat.of().formatHex(bytes, 0, 16) + '*' + bytes[16]
							: String.valueOf(Arrays.hashCode(bytes));
		}
		return String.valueOf(result);
	}

	private static void flush() {
		try (RedisConnection connection = connections.getConnection()) {
			connection.serverCommands().flushAll();
		}
	}

	private static void delete(String key) {
		try (RedisConnection connection = connections.getConnection()) {
			connection.keyCommands().del(key.getBytes(StandardCharsets.UTF_8));
		}
	}

	/**
	 * How the row is updated.
	 */
	enum Update {

		EVICT(CachedProducts::update),

		CLEAR((products, id, commit) -> products.updateAll(commit)),

		PUT(CachedProducts::replace),

		EVICT_BEFORE(CachedProducts::evictAndUpdate);

		private final Change change;

		Update(Change change) {
			this.change = change;
		}

		void run(CachedProducts products, Runnable commit) {
			this.change.make(products, ID, commit);
		}

	}

	/**
	 * What could be wrong: the keys or the arguments of a script.
	 */
	enum Flaw {

		NONE,

		/** A value is stored whatever has happened meanwhile. */
		NO_TOKENS,

		/** What evicts or clears leaves the tokens as they are. */
		EVICT_KEEPS_TOKENS,

		/** What replaces leaves the tokens as they are. */
		PUT_KEEPS_TOKENS,

		/** What evicts or clears leaves the epoch as it is. */
		EVICT_KEEPS_EPOCH,

		/** What replaces leaves the epoch as it is. */
		PUT_KEEPS_EPOCH,

		/** A token that was made invalid comes back. */
		SAME_TOKENS,

		/** Entries are read from a replica that knows what is stored, and lags then. */
		LAGGING_REPLICA;

		/**
		 * Spoil a script.
		 * @return what it does
		 */
		String spoil(byte[][] keysAndArguments) {
			String first = string(keysAndArguments[0]);
			if (first.contains(":held-off:") || first.contains(":cleared:")) {
				if (this == EVICT_KEEPS_TOKENS) {
					keysAndArguments[1] = "other".getBytes(StandardCharsets.UTF_8);
				}
				if (this == EVICT_KEEPS_EPOCH) {
					keysAndArguments[keysAndArguments.length - 2] = "other".getBytes(StandardCharsets.UTF_8);
				}
				return "invalidates";
			}
			if (first.equals(EPOCH)) {
				return "learns";
			}
			if (string(keysAndArguments[keysAndArguments.length - 1]).equals("miss")
					|| keysAndArguments.length == 9 && string(keysAndArguments[6]).equals("claim")) {
				if (this == SAME_TOKENS) {
					keysAndArguments[3] = new byte[16];
				}
				return "takes a token";
			}
			if (keysAndArguments.length == 7) {
				if (this == PUT_KEEPS_TOKENS) {
					keysAndArguments[2] = "other".getBytes(StandardCharsets.UTF_8);
				}
				if (this == PUT_KEEPS_EPOCH) {
					keysAndArguments[3] = "other".getBytes(StandardCharsets.UTF_8);
				}
				return "replaces";
			}
			return (keysAndArguments.length == 9 || keysAndArguments.length == 11) ? "stores" : "runs a script";
		}

		private static String string(byte[] bytes) {
			return new String(bytes, StandardCharsets.UTF_8);
		}

	}

	/**
	 * Changes the row.
	 */
	@FunctionalInterface
	interface Change {

		void make(CachedProducts products, int id, Runnable commit);

	}

	/**
	 * Reads the row.
	 */
	@FunctionalInterface
	interface Read {

		Integer read(CachedProducts products, int id);

	}

}
