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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.LoggingCacheErrorHandler;
import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheManager.RedisCacheManagerBuilder;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.bloomguard.cache.CacheRules.SharedLoads;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestTransactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.mock;

/**
 * Tests for what {@link LoadToken}s are needed for, beside the walk of
 * {@link StaleSetTests}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoadTokenTests {

	private final TestRedis redis = TestRedis.start();

	private final LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", this.redis.port());

	private GuardedInstance instance;

	private GuardedInstance elsewhere;

	private Runnable duringTheLoad;

	private int row;

	private CachedProducts products;

	@BeforeAll
	void connect() {
		this.connections.afterPropertiesSet();
		this.connections.start();
	}

	@AfterAll
	void disconnect() {
		this.connections.destroy();
		this.redis.close();
	}

	@BeforeEach
	void createInstances() {
		this.redis.command("FLUSHALL");
		this.instance = GuardedInstance.of(this.connections);
		this.elsewhere = GuardedInstance.of(this.connections);
		this.duringTheLoad = () -> {
		};
		this.row = 1;
		this.products = products(this.instance);
	}

	private CachedProducts products(GuardedInstance instance) {
		return CachedProducts.of(instance.manager, (id) -> {
			int read = this.row;
			this.duringTheLoad.run();
			if (read < 0) {
				throw new IllegalStateException("The database does not answer");
			}
			return read;
		});
	}

	@AfterEach
	void closeInstances() {
		this.instance.close();
		this.elsewhere.close();
	}

	@Test
	void clearOfACacheStopsTheLoadsOfOthersWithItsPrefix() {
		try (GuardedInstance sharing = GuardedInstance.of(this.connections, CacheRules.DEFAULT,
				(configuration) -> configuration.computePrefixWith((name) -> "shop:"))) {
			this.duringTheLoad = sharing.cache("others")::clear;
			products(sharing).find(7);
			products(sharing).findOnce(7);
			assertThat(this.redis.keys("shop:7")).isEmpty();
			this.duringTheLoad = () -> {
			};
			products(sharing).find(7);
			assertThat(this.redis.keys("shop:7")).hasSize(1);
		}
	}

	@Test
	void clearOfACacheStopsTheLoadsOfThoseBelowItsPrefix() {
		try (GuardedInstance nested = nested("shop:", "shop:products:")) {
			this.duringTheLoad = nested.cache("others")::clear;
			products(nested).find(7);
			products(nested).findOnce(7);
			assertThat(this.redis.keys("shop:products:7")).isEmpty();
		}
	}

	@Test
	void clearOfACacheStopsNoLoadsOfThoseAboveItsPrefix() {
		try (GuardedInstance nested = nested("shop:others:", "shop:")) {
			this.duringTheLoad = nested.cache("others")::clear;
			products(nested).find(7);
			assertThat(this.redis.keys("shop:7")).hasSize(1);
		}
	}

	@Test
	void clearStopsTheLoadsOfATenantInAnInstanceThatHasServedAnotherOneFirst() {
		AtomicReference<String> tenant = new AtomicReference<>("a:");
		try (GuardedInstance first = tenants(tenant); GuardedInstance second = tenants(tenant)) {
			products(first).find(1);
			tenant.set("b:");
			products(second).find(1);
			tenant.set("a:");
			this.duringTheLoad = second.cache("products")::clear;
			products(first).find(7);
			products(first).findOnce(7);
			assertThat(this.redis.keys("a:7")).isEmpty();
			this.duringTheLoad = () -> {
			};
			products(first).find(7);
			assertThat(this.redis.keys("a:7")).hasSize(1);
		}
	}

	private GuardedInstance tenants(AtomicReference<String> tenant) {
		return GuardedInstance.of(this.connections, CacheRules.DEFAULT,
				(configuration) -> configuration.computePrefixWith((name) -> tenant.get()));
	}

	private GuardedInstance nested(String prefixOfOthers, String prefixOfProducts) {
		return GuardedInstance.of(this.connections, CacheRules.DEFAULT, (configuration) -> configuration
			.computePrefixWith((name) -> name.equals("others") ? prefixOfOthers : prefixOfProducts));
	}

	@Test
	void clearOfACacheStopsNoLoadsOfOthers() {
		this.duringTheLoad = this.elsewhere.cache("others")::clear;
		this.products.find(7);
		assertThat(this.redis.keys("products::7")).hasSize(1);
	}

	@Test
	void missIsOneScriptMoreAndAHitNone() {
		this.products.find(1);
		assertThat(scriptsOf(() -> this.products.find(2))).as("token, store").isEqualTo(2);
		assertThat(scriptsOf(() -> this.products.findOnce(3))).as("claim, store, release").isEqualTo(3);
		assertThat(scriptsOf(() -> this.instance.cache("products").put(4, 1))).as("store").isOne();
		assertThat(scriptsOf(() -> {
			this.products.find(2);
			this.products.findOnce(3);
		})).isZero();
		assertThat(this.redis.calls("get")).isEqualTo(2);
	}

	private long scriptsOf(Runnable calls) {
		this.redis.command("CONFIG", "RESETSTAT");
		calls.run();
		return this.redis.calls("evalsha");
	}

	@Test
	void valueIsNotStoredWhoseTokenWasLost() {
		this.duringTheLoad = () -> this.redis.command("FLUSHALL");
		this.products.find(1);
		this.products.findOnce(2);
		assertThat(this.redis.keys("products*")).isEmpty();
	}

	@Test
	void valueThatTakesNoTokenIsStoredWhateverWasMissedBefore() {
		Cache cache = this.instance.cache("products");
		assertThat(cache.get(1)).isNull();
		this.elsewhere.cache("products").evict(1);
		cache.put(1, 11);
		assertThat(cache.get(1, Integer.class)).isEqualTo(11);
	}

	@Test
	void nullThatIsPutButNotStoredMakesTokensInvalid() {
		TransactionTemplate transactions = new TransactionTemplate(new TestTransactions());
		this.duringTheLoad = () -> CompletableFuture
			.runAsync(
					() -> transactions.executeWithoutResult((status) -> this.elsewhere.cache("products").put(1, null)))
			.join();
		this.products.find(1);
		assertThat(this.redis.keys("products*")).isEmpty();
	}

	@Test
	void evictionBeforeAnAsynchronousUpdateIsRepeatedWhenItIsOver() {
		CompletableFuture<Void> update = new CompletableFuture<>();
		CompletableFuture<Void> updated = this.products.evictAndUpdateLater(1, update);
		this.products.find(1);
		assertThat(this.redis.keys("products*")).hasSize(1);
		update.complete(null);
		updated.join();
		assertThat(this.redis.keys("products*")).isEmpty();
		this.products.evictAndUpdateMono(2, Mono.fromRunnable(() -> this.products.find(2))).block();
		assertThat(this.redis.keys("products*")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void evictionBeforeAReactiveUpdateIsRepeatedAlsoIfThatFailsOrIsCancelledAfterItsCommit(boolean fails) {
		Mono<Void> update = this.products.evictAndUpdateMono(1, Mono.defer(() -> {
			this.products.find(1);
			assertThat(this.redis.keys("products*")).hasSize(1);
			return fails ? Mono.error(new IllegalStateException("Committed, but")) : Mono.never();
		}));
		if (fails) {
			assertThatIllegalStateException().isThrownBy(update::block);
		}
		else {
			update.subscribe().dispose();
		}
		Awaitility.await().until(() -> this.redis.keys("products*").isEmpty());
	}

	/**
	 * It is not a miss, so the load has no token.
	 */
	@ParameterizedTest
	@EnumSource
	void whatIsLoadedForAnEntryThatCannotBeReadIsNotStoredAfterAnEvict(Unread read) {
		CachedProducts lenient = unreadable();
		this.duringTheLoad = () -> {
			this.row = 2;
			this.elsewhere.cache("products").evict(7);
			this.elsewhere.cache("others").evict(7);
		};
		assertThat(read.find.apply(lenient, 7)).isEqualTo(1);
		assertThat(this.redis.keys("products*")).isEmpty();
		assertThat(this.redis.keys("others*")).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void entryThatCannotBeReadIsReplacedByTheNextCall(Unread read) {
		CachedProducts lenient = unreadable();
		read.find.apply(lenient, 7);
		Awaitility.await().until(() -> this.redis.keys("products*").isEmpty());
		read.find.apply(lenient, 7);
		Awaitility.await().until(() -> this.redis.keys("products*").size() == 1);
		this.row = 2;
		assertThat(read.find.apply(lenient, 7)).isEqualTo(1);
	}

	@Test
	void entryThatCannotBeReadIsReplacedByAnUpdate() {
		CachedProducts lenient = unreadable();
		lenient.replace(7, () -> {
		});
		assertThat(lenient.find(7)).isEqualTo(1);
		assertThat(this.redis.keys("products*")).hasSize(1);
	}

	@Test
	void whatAMethodReadsAndPutsByItselfIsReplaced() {
		Cache others = this.instance.cache("others");
		others.put(7, 1);
		this.duringTheLoad = () -> {
			assertThat(others.get(7, Integer.class)).isEqualTo(1);
			others.put(7, 2);
		};
		this.products.find(7);
		assertThat(others.get(7, Integer.class)).isEqualTo(2);
	}

	private CachedProducts unreadable() {
		List.of("products::7", "others::7").forEach((key) -> this.redis.command("SET", key, "of-another-version"));
		return CachedProducts.of(this.instance.manager, (id) -> {
			int read = this.row;
			this.duringTheLoad.run();
			return read;
		}, new LoggingCacheErrorHandler());
	}

	@Test
	void cacheThatTheApplicationDecoratesIsGuardedToo() {
		AtomicReference<RedisCacheManager> manager = new AtomicReference<>();
		try (CacheGuard guard = new CacheGuard(this.connections, "bloom-guard", (name) -> CacheRules.DEFAULT, List.of(),
				Runnable::run, Duration.ofSeconds(10), (name, key) -> () -> Answer.of(true),
				() -> Stream.of(manager.get()))) {
			manager.set(new RedisCacheManager(guard.writer(), RedisCacheConfiguration.defaultCacheConfig()) {

				@Override
				protected Cache decorateCache(Cache cache) {
					return mock(Cache.class, delegatesTo(cache));
				}

			});
			manager.get().afterPropertiesSet();
			CachedProducts decorated = CachedProducts.of(manager.get(), (id) -> {
				this.duringTheLoad.run();
				return this.row;
			});
			decorated.find(1);
			decorated.findOnce(2);
			assertThat(this.redis.keys("products*")).hasSize(2);
			this.duringTheLoad = () -> decorated.updateAll(() -> {
			});
			decorated.find(3);
			decorated.findOnce(4);
			assertThat(this.redis.keys("products*")).isEmpty();
		}
	}

	@Test
	void missOfACallThatHasFailedIsForgottenWithIt() {
		this.row = -1;
		assertThatIllegalStateException().isThrownBy(() -> this.products.find(1));
		this.elsewhere.cache("products").evict(1);
		this.row = 2;
		this.products.replace(1, () -> {
		});
		assertThat(this.instance.cache("products").get(1, Integer.class)).isEqualTo(2);
	}

	@Test
	void loadInALoadHasATokenOfItsOwn() {
		this.duringTheLoad = () -> {
			this.duringTheLoad = () -> {
			};
			this.elsewhere.cache("products").evict(1);
			this.row = 2;
			assertThat(this.products.find(1)).isEqualTo(2);
		};
		assertThat(this.products.find(1)).isEqualTo(1);
		assertThat(this.products.find(1)).isEqualTo(2);
	}

	@Test
	void cacheMayBeLeftWithoutTokens() {
		try (GuardedInstance without = GuardedInstance.of(this.connections, CacheRules.DEFAULT.withoutTokens())) {
			this.duringTheLoad = () -> this.elsewhere.cache("products").evict(1);
			products(without).find(1);
			assertThat(this.redis.keys("products*")).hasSize(1);
		}
	}

	@Test
	void writerOfTheApplicationStoresByItself() {
		List<String> stored = new ArrayList<>();
		RedisCacheWriter own = new RedisCacheWriterDecorator(
				RedisCacheWriter.nonLockingRedisCacheWriter(this.connections)) {

			@Override
			public byte[] get(String name, byte[] key, Duration ttl) {
				return delegate().get(name, key, ttl);
			}

			@Override
			public void put(String name, byte[] key, byte[] value, Duration ttl) {
				delegate().put(name, key, value, ttl);
			}

			@Override
			public CompletableFuture<Void> store(String name, byte[] key, byte[] value, Duration ttl) {
				stored.add(new String(key, StandardCharsets.UTF_8));
				return super.store(name, key, value, ttl);
			}

			@Override
			public RedisCacheWriter withStatisticsCollector(CacheStatisticsCollector collector) {
				return this;
			}

		};
		CachedProducts of = CachedProducts.of(RedisCacheManager.builder(this.instance.guard.guard(own)).build(),
				(id) -> this.row);
		of.find(1);
		of.findOnce(2);
		assertThat(stored).containsExactly("products::1", "products::2");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void loadInATransactionStoresNothingThatWasEvictedLately(boolean clear) {
		if (clear) {
			this.elsewhere.cache("products").clear();
		}
		else {
			this.elsewhere.cache("products").evict(1);
		}
		inTransaction(() -> this.products.find(1), true);
		assertThat(this.redis.keys("products*")).isEmpty();
		this.products.find(1);
		assertThat(this.redis.keys("products*")).hasSize(1);
		inTransaction(() -> this.products.find(2), true);
		assertThat(this.redis.keys("products*")).hasSize(clear ? 1 : 2);
	}

	@Test
	void evictionsOfATransactionAreRepeatedAfterItsCommit() {
		for (Consumer<CachedProducts> update : List
			.<Consumer<CachedProducts>>of((products) -> products.update(1, () -> {
			}), (products) -> products.updateAll(() -> {
			}))) {
			this.row = 1;
			inTransaction(() -> {
				update.accept(this.products);
				assertThat(elsewhere(() -> products(this.elsewhere).find(1))).isEqualTo(1);
				this.row = 2;
			}, true);
			assertThat(this.products.find(1)).isEqualTo(2);
		}
	}

	@Test
	void evictionsAreRepeatedAfterACommitWhereAnotherThanTheyHasFailed() {
		assertThatIllegalStateException().isThrownBy(() -> inTransaction(() -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					throw new IllegalStateException("after the commit");
				}

			});
			evictAndReadElsewhere();
			this.row = 2;
		}, true));
		assertThat(this.products.find(1)).isEqualTo(2);
	}

	@Test
	void evictionsAreRepeatedAfterACommitOfWhichNobodyKnowsWhetherItWasMade() {
		TransactionTemplate transactions = new TransactionTemplate(new TestTransactions() {

			@Override
			protected void doCommit(DefaultTransactionStatus status) {
				LoadTokenTests.this.row = 2;
				throw new TransactionSystemException("The connection is lost");
			}

		});
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> transactions.executeWithoutResult((status) -> evictAndReadElsewhere()));
		assertThat(this.products.find(1)).isEqualTo(2);
	}

	@Test
	void valueThatWasPutBeforeTheCommitIsNotFollowedByAnOlderOne() {
		for (Runnable loss : List.<Runnable>of(this.elsewhere.cache("products")::clear,
				() -> this.elsewhere.cache("products").evict(1))) {
			this.row = 1;
			inTransaction(() -> {
				this.products.replace(1, () -> this.row = 2);
				this.row = 1;
				elsewhere(() -> {
					loss.run();
					return products(this.elsewhere).find(1);
				});
				this.row = 2;
			}, true);
			assertThat(this.products.find(1)).isEqualTo(2);
		}
	}

	@Test
	void valueThatWasPutIfAbsentIsNotReplacedByAnOlderOne() {
		this.duringTheLoad = () -> {
			this.duringTheLoad = () -> {
			};
			this.row = 2;
			this.elsewhere.cache("products").putIfAbsent(1, 2);
		};
		assertThat(this.products.find(1)).isEqualTo(1);
		assertThat(this.elsewhere.cache("products").get(1, Integer.class)).isEqualTo(2);
	}

	/**
	 * A miss in a method that is there to update does not make its put that of a load.
	 */
	@Test
	void valueIsReplacedByAnUpdateThatHasMissedIt() {
		this.products.replace(1, () -> {
			assertThat(this.instance.cache("products").get(1)).isNull();
			elsewhere(() -> products(this.elsewhere).find(1));
			this.row = 2;
		});
		assertThat(this.products.find(1)).isEqualTo(2);
	}

	@Test
	void valueThatWasPutBeforeTheCommitIsKept() {
		inTransaction(() -> this.products.replace(1, () -> this.row = 2), true);
		assertThat(this.elsewhere.cache("products").get(1, Integer.class)).isEqualTo(2);
	}

	private void evictAndReadElsewhere() {
		this.products.update(1, () -> {
		});
		assertThat(elsewhere(() -> products(this.elsewhere).find(1))).isEqualTo(1);
	}

	@Test
	void evictionsOfATransactionAreNotRepeatedAfterARollback() {
		inTransaction(() -> {
			this.products.update(1, () -> {
			});
			elsewhere(() -> products(this.elsewhere).find(1));
		}, false);
		assertThat(this.redis.keys("products*")).hasSize(1);
	}

	@Test
	void valueThatIsPutAfterTheCommitIsStoredOnlyIfNothingWasEvictedMeanwhile() {
		CachedProducts transactional = transactionAware();
		Cache elsewhere = this.elsewhere.cache("products");
		inTransaction(() -> transactional.find(1), true);
		assertThat(elsewhere.get(1, Integer.class)).isEqualTo(1);
		for (Runnable update : List.<Runnable>of(() -> elsewhere.evict(2), elsewhere::clear,
				() -> elsewhere.put(2, 22))) {
			elsewhere.evict(2);
			inTransaction(() -> {
				assertThat(transactional.find(2)).isEqualTo(1);
				elsewhere(() -> {
					update.run();
					return null;
				});
			}, true);
			assertThat((Object) elsewhere.get(2, Integer.class)).isNotEqualTo(1);
		}
		transactional.find(3);
		assertThat(elsewhere.get(3, Integer.class)).isEqualTo(1);
	}

	@Test
	void whatIsLoadedForAnEntryThatCannotBeReadIsNotStoredAfterTheCommitEither() {
		transactionAware();
		CachedProducts lenient = unreadable();
		inTransaction(() -> {
			assertThat(lenient.find(7)).isEqualTo(1);
			elsewhere(() -> {
				this.elsewhere.cache("products").evict(7);
				return null;
			});
		}, true);
		assertThat(this.redis.keys("products*")).isEmpty();
	}

	@Test
	void valueThatIsReplacedAfterTheCommitIsStoredWhateverWasEvictedMeanwhile() {
		CachedProducts transactional = transactionAware();
		inTransaction(() -> {
			transactional.find(1);
			transactional.replace(1, () -> this.row = 2);
			elsewhere(() -> {
				this.elsewhere.cache("products").evict(1);
				return null;
			});
		}, true);
		assertThat(this.elsewhere.cache("products").get(1, Integer.class)).isEqualTo(2);
	}

	@Test
	void callIsOverAfterACommitWhereAnotherThanItHasFailed() {
		CachedProducts transactional = transactionAware();
		this.duringTheLoad = () -> TransactionSynchronizationManager
			.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					assertThat(CachedCall.current()).isNotNull();
					throw new IllegalStateException("after the commit");
				}

			});
		assertThatIllegalStateException().isThrownBy(() -> inTransaction(() -> transactional.find(1), true));
		assertThat(CachedCall.current()).isNull();
	}

	@Test
	void whatComesAfterTheCommitIsNotRepeated() {
		CachedProducts transactional = transactionAware();
		transactional.update(1, () -> {
		});
		transactional.replace(1, () -> {
		});
		assertThat(scriptsOf(() -> inTransaction(() -> transactional.update(1, () -> {
		}), true))).isOne();
		assertThat(scriptsOf(() -> inTransaction(() -> transactional.replace(1, () -> {
		}), true))).isOne();
	}

	private CachedProducts transactionAware() {
		return products(this.instance = GuardedInstance.of(this.connections, CacheRules.DEFAULT, (config) -> config,
				RedisCacheManagerBuilder::transactionAware));
	}

	@ParameterizedTest
	@EnumSource
	void valueThatArrivesLaterIsStoredOnlyIfNothingWasEvictedMeanwhile(Later later) {
		assertThat(later.find(this.products, 1)).isEqualTo(1);
		assertThat(this.instance.cache("products").get(1)).isNotNull();
		this.duringTheLoad = () -> this.elsewhere.cache("products").evict(2);
		assertThat(later.find(this.products, 2)).isEqualTo(1);
		assertThat(this.instance.cache("products").get(2)).isNull();
		this.duringTheLoad = () -> this.elsewhere.cache("products").put(3, 33);
		assertThat(later.find(this.products, 3)).isEqualTo(1);
		assertThat(this.instance.cache("products").get(3, Integer.class)).isEqualTo(33);
	}

	@Test
	void valueThatIsReplacedLaterIsStoredWhateverWasEvictedMeanwhile() {
		this.duringTheLoad = () -> this.elsewhere.cache("products").evict(1);
		assertThat(this.products.replaceLater(1).join()).isEqualTo(1);
		this.duringTheLoad = () -> elsewhere(() -> {
			this.elsewhere.cache("products").evict(2);
			return null;
		});
		assertThat(this.products.replaceMono(2).block()).isEqualTo(1);
		Awaitility.await().untilAsserted(() -> assertThat(this.redis.keys("products*")).hasSize(2));
	}

	@Test
	void earlyRefreshStoresNothingThatWasEvictedMeanwhile() {
		CacheRules rules = new CacheRules(0, Duration.ofMinutes(1), Duration.ofSeconds(30), SharedLoads.DEFAULT, 1e9,
				Duration.ZERO, true);
		try (GuardedInstance early = GuardedInstance.of(this.connections, rules)) {
			CachedProducts refreshed = products(early);
			refreshed.findOnce(1);
			this.duringTheLoad = () -> this.elsewhere.cache("products").evict(1);
			refreshed.findOnce(1);
			Awaitility.await().until(() -> early.listener.loads.get() == 2);
			assertThat(this.redis.keys("products*")).isEmpty();
		}
	}

	/**
	 * Call on another thread, which has no transaction.
	 */
	private static <T> T elsewhere(Callable<T> call) {
		FutureTask<T> task = new FutureTask<>(call);
		new Thread(task).start();
		try {
			return task.get();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void inTransaction(Runnable work, boolean commit) {
		new TransactionTemplate(new TestTransactions()).executeWithoutResult((status) -> {
			work.run();
			if (!commit) {
				status.setRollbackOnly();
			}
		});
	}

	/**
	 * Methods whose results arrive later.
	 */
	enum Later {

		FUTURE((products, id) -> products.findLater(id).join()),

		SHARED_FUTURE((products, id) -> products.findOnceLater(id).join()),

		MONO((products, id) -> products.findMono(id).block()),

		SHARED_MONO((products, id) -> products.findOnceMono(id).block()),

		FLUX((products, id) -> products.findFlux(id).blockLast());

		private final BiFunction<CachedProducts, Integer, Integer> call;

		Later(BiFunction<CachedProducts, Integer, Integer> call) {
			this.call = call;
		}

		Integer find(CachedProducts products, int id) {
			return this.call.apply(products, id);
		}

	}

	private enum Unread {

		AT_ONCE(CachedProducts::find), IN_TWO_CACHES(CachedProducts::findInTwo),
		LATER((products, id) -> products.findLater(id).join()),
		REACTIVE((products, id) -> products.findMono(id).block());

		private final BiFunction<CachedProducts, Integer, Integer> find;

		Unread(BiFunction<CachedProducts, Integer, Integer> find) {
			this.find = find;
		}

	}

}
