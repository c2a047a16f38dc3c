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

package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveConnectionManager;

/**
 * Replaces a client that has lost nodes of a cluster for good: it knows none for some
 * slots, does not know the one that another node names, or has no connection for it.
 * Redisson 4.7.0 gets there when a primary dies that has just taken over, or has just
 * been given another slot, and loses a connection of a small pool when a node says that a
 * slot has moved before the asking thread could give the connection back.
 * <p>
 * A command that was sent and is not answered in time does not count, as that may be the
 * load, to which new connections would only add.
 * <p>
 * Concurrency: one look or replacement at a time, each scheduled by the one before, on
 * the timer of the client that it is about, with which it ends. {@code since} belongs to
 * them. {@code missed} is set by the thread that gets the reply of a command.
 */
final class ClientWatchdog {

	/**
	 * How many looks at the topology may pass until another client is tried.
	 */
	private static final int LOOKS = 2;

	/**
	 * For how long a command counts that has reached no node.
	 */
	private static final Duration RECENT = Duration.ofSeconds(3);

	private static final Duration FAREWELL = Duration.ofSeconds(5);

	private static final Log logger = LogFactory.getLog(ClientWatchdog.class);

	private final List<Function<RedissonClient, CompletableFuture<Void>>> followers = new CopyOnWriteArrayList<>();

	private final Executor executor;

	private final Consumer<Redisson> use;

	private @Nullable Long since;

	private volatile @Nullable Long missed;

	ClientWatchdog(Executor executor, Consumer<Redisson> use) {
		this.executor = executor;
		this.use = use;
	}

	void follow(Function<RedissonClient, CompletableFuture<Void>> follower) {
		this.followers.add(follower);
	}

	void watch(Redisson client) {
		Duration interval = Duration.ofMillis(new Config(client.getConfig()).useClusterServers().getScanInterval());
		RedissonLine.schedule(client, interval, () -> look(client, interval));
	}

	void failed(Throwable failure) {
		if (RedisFailures.isNotSent(failure)) {
			this.missed = System.nanoTime();
		}
	}

	private void look(Redisson client, Duration interval) {
		long now = System.nanoTime();
		if (!isLost(client)) {
			this.since = null;
		}
		else if (this.since == null) {
			this.since = now;
		}
		else if (now - this.since > interval.multipliedBy(LOOKS).toNanos()) {
			this.since = null;
			begin(client, interval);
			return;
		}
		watch(client);
	}

	private boolean isLost(Redisson client) {
		Long missed = this.missed;
		return (missed != null && System.nanoTime() - missed < RECENT.toNanos()) || slotsWithoutNode(client) > 0;
	}

	private void begin(Redisson client, Duration interval) {
		CompletableFuture.completedFuture(client)
			.thenAcceptAsync((lost) -> renew(lost, interval), this.executor)
			.exceptionally((failure) -> {
				// where no thread can be started, one may be later
				watch(client);
				return null;
			});
	}

	private static long slotsWithoutNode(Redisson client) {
		ConnectionManager connections = RedissonLine.connections(client);
		return IntStream.range(0, MasterSlaveConnectionManager.MAX_SLOT)
			.filter((slot) -> RedissonLine.primary(connections, slot) == null)
			.count();
	}

	private void renew(Redisson client, Duration interval) {
		Redisson successor = (Redisson) Redisson.create(RedissonLine.connectLate(new Config(client.getConfig())));
		try {
			if (slotsWithoutNode(successor) == 0 && staysLost(client, interval)) {
				CompletableFuture
					.allOf(this.followers.stream()
						.map((follower) -> follower.apply(successor))
						.toArray(CompletableFuture<?>[]::new))
					.join();
				logger.warn("Redisson has not reached all nodes of the Redis Cluster for a while, and is replaced");
				this.use.accept(successor);
				this.missed = null;
				watch(successor);
				shutdown(client);
				return;
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The Redis Cluster can't be connected to anew", ex);
		}
		shutdown(successor);
		watch(client);
	}

	private boolean staysLost(Redisson client, Duration interval) {
		try {
			Thread.sleep(interval.toMillis());
			return isLost(client);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private static void shutdown(Redisson client) {
		client.shutdown(0, FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
	}

}
