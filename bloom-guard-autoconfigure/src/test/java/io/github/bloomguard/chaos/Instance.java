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

package io.github.bloomguard.chaos;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.chaos.Shop.Catalogue;
import io.github.bloomguard.chaos.Shop.Products;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TcpProxy;

/**
 * One of several instances of the application, which may be replaced by a new one while
 * nobody uses it.
 */
final class Instance implements AutoCloseable {

	/**
	 * For how many keys the filters of the shop are.
	 */
	static final long KEYS = 10_000;

	/**
	 * Those of the stranger are for so many that they are always divided.
	 */
	static final long MORE_KEYS = 30_000;

	static final String SHARDS_PROPERTY = "chaos.shards";

	/**
	 * Into how many strings the filters of the shop are divided.
	 */
	static final int SHARDS = Integer.getInteger(SHARDS_PROPERTY, 1);

	private static final int SHARD_SIZE = 64 + (int) (KEYS * 2.6 / 8 / SHARDS);

	/**
	 * Where filters are kept, {@code -Dchaos.type=} for another type than usual.
	 */
	static final String TYPE = System.getProperty("chaos.type", RedisBackend.TYPE);

	/**
	 * That of the guard.
	 */
	static final Duration TIMEOUT = Duration.ofMillis(100);

	private final int number;

	private final ReadWriteLock lock = new ReentrantReadWriteLock();

	private final TcpProxy network;

	private final SettableClock clock = new SettableClock();

	private volatile Running running;

	Instance(int number, int redis, Function<Instance, GuardApplication> start) {
		this.number = number;
		this.network = TcpProxy.start(redis);
		this.running = new Running(start.apply(this));
	}

	/**
	 * Return the properties of an instance.
	 * @param redis the port of its Redis
	 * @param expectedInsertions for how many rows its filter is configured
	 * @param mirror whether it has a mirror
	 * @return the properties as {@code name=value}
	 */
	static List<String> properties(int redis, long expectedInsertions, boolean mirror) {
		return List.of("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis,
				"spring.redis.redisson.config=" + """
						singleServerConfig:
						  address: redis://127.0.0.1:%d
						  connectionMinimumIdleSize: 2
						  connectionPoolSize: 12
						  subscriptionConnectionMinimumIdleSize: 1
						  subscriptionConnectionPoolSize: 2
						threads: 2
						nettyThreads: 4
						""".formatted(redis), "spring.datasource.hikari.maximum-pool-size=8",
				"bloom-guard.timeout=" + TIMEOUT.toMillis() + "ms", "bloom-guard.add-timeout=5s",
				"bloom-guard.filters.products.type=" + TYPE,
				"bloom-guard.filters.products.expected-insertions=" + expectedInsertions,
				"bloom-guard.filters.products.false-positive-probability=0.3",
				"bloom-guard.filters.products.shard-size=" + SHARD_SIZE + "B",
				"bloom-guard.filters.products.rebuild.longest-transaction=1s",
				"bloom-guard.filters.products.mirror.enabled=" + mirror,
				"logging.level.root=" + System.getProperty("chaos.log", "off"));
	}

	/** Its own clock. */
	SettableClock clock() {
		return this.clock;
	}

	/** Its own way to Redis. */
	TcpProxy network() {
		return this.network;
	}

	/** Return the properties of this instance. */
	List<String> properties(long expectedInsertions) {
		return properties(this.network.port(), expectedInsertions, this.number > 0);
	}

	/** Use it, or do nothing if it is being replaced. */
	void use(Consumer<Running> user) {
		if (this.lock.readLock().tryLock()) {
			try {
				user.accept(this.running);
			}
			finally {
				this.lock.readLock().unlock();
			}
		}
	}

	void replace(Function<Instance, GuardApplication> next) {
		this.lock.writeLock().lock();
		try {
			this.running.application().close();
			this.running = new Running(next.apply(this));
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	/**
	 * Return whether instances can have mirrors.
	 */
	static boolean haveMirrors() {
		return TYPE.equals(RedisBackend.TYPE);
	}

	boolean isReady() {
		return this.running.managed().filter().active() != null;
	}

	Running running() {
		return this.running;
	}

	@Override
	public void close() {
		this.running.application().close();
		this.network.close();
	}

	boolean isMirrored() {
		return this.running.managed().filter().mirrorStatus().state() == MirrorStatus.State.ANSWERING;
	}

	@Override
	public String toString() {
		Generation active = this.running.managed().filter().active();
		return "instance " + this.number + " (" + this.running.managed().filter().state() + ", generation "
				+ ((active != null) ? active.id() : "none") + ", epoch "
				+ this.running.managed().filter().snapshot().epoch() + ", " + this.running.managed().warmUp().progress()
				+ ")";
	}

	/**
	 * The parts of the application that are used.
	 *
	 * @param application the application
	 * @param guard the guard
	 * @param managed the parts of the filter
	 * @param products reads
	 * @param catalogue writes
	 */
	record Running(GuardApplication application, BloomGuard guard, ManagedFilter managed, Products products,
			Catalogue catalogue) {

		Running(GuardApplication application) {
			this(application, application.bean(BloomGuard.class), application.products(),
					application.bean(Products.class), application.bean(Catalogue.class));
		}

	}

}
