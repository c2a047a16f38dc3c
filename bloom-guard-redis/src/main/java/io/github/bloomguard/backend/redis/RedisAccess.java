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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.bloomguard.circuit.SharedAttempt;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisStrictCommand;
import org.redisson.config.Config;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

import io.github.bloomguard.InvalidGuardException;

import org.springframework.util.function.SingletonSupplier;

/**
 * The guard's way to Redis. A client that connects when it is first used makes its caller
 * wait, so the first use happens in the background, and again after a failure; what is
 * sent meanwhile is sent when it is over. From then on Redisson itself connects again.
 */
public final class RedisAccess implements AutoCloseable {

	private static final Duration CLOSING = Duration.ofMillis(500);

	private static final RedisStrictCommand<Object> EVALSHA = new RedisStrictCommand<>("EVALSHA");

	private static final Duration RETRY_DELAY = Duration.ofMillis(200);

	/**
	 * How much later than Redisson should have ended a command it counts as not answered.
	 */
	static final Duration SLACK = Duration.ofSeconds(1);

	private final Executor executor;

	private final Config config;

	private final int database;

	private volatile boolean owning;

	private final @Nullable ClientWatchdog renewal;

	private final Supplier<ReplicationIds> replicationIds = SingletonSupplier.of(() -> new ReplicationIds(this, SLACK));

	/**
	 * Written by the renewal, and by what connects a client that can't be made before it
	 * is connected. Both then look at {@code closed}, while {@link #close} reads it after
	 * it has written that: so one of them closes what was written last.
	 */
	private volatile @Nullable Redisson client;

	/**
	 * Written by {@link #close}, {@link #disconnect} and {@link #reconnect}, of which one
	 * runs at a time.
	 */
	private volatile boolean closed;

	private volatile @Nullable Thread connecting;

	private final SharedAttempt<Void> contact = new SharedAttempt<>(this::beginToConnect);

	/**
	 * Written by the attempt that has succeeded, and when there is to be another.
	 */
	private volatile boolean connected;

	/**
	 * Create an access through the application's client, which it leaves open. If that
	 * client maps names or is a proxy, the access has a client of its own.
	 * @param executor where the client may wait for its connection
	 */
	public RedisAccess(RedissonClient client, Executor executor) {
		this(GuardClient.sharing(client), executor);
	}

	RedisAccess(GuardClient client, Executor executor) {
		this.config = client.config();
		this.database = RedissonLine.database(client.servers());
		this.client = client.redisson();
		this.executor = executor;
		this.owning = client.owned();
		this.renewal = (this.owning && isCluster()) ? new ClientWatchdog(executor, this::use) : null;
	}

	/**
	 * Create an access through a client of its own.
	 * @param config how it is connected
	 * @throws InvalidGuardException if the client would map names
	 */
	public static RedisAccess owning(Config config, Executor executor) {
		return new RedisAccess(GuardClient.own(config), executor);
	}

	/**
	 * Create an access through a client of its own that is connected as the application's
	 * is, but maps no names.
	 */
	public static RedisAccess beside(RedissonClient client, Executor executor) {
		return new RedisAccess(GuardClient.like(client), executor);
	}

	/**
	 * Return the client, which may be another one later.
	 * @throws IllegalStateException if it can't be made before it is connected, and is
	 * not yet
	 */
	public Redisson client() {
		Redisson client = this.client;
		if (client == null) {
			throw new IllegalStateException("Redisson is not connected yet");
		}
		return client;
	}

	private void use(@Nullable Redisson client) {
		this.client = client;
		if (this.closed && client != null) {
			shutdown(client);
		}
	}

	/**
	 * Let something follow to each client before that replaces the present one. A client
	 * of the application's is never replaced.
	 */
	void followClient(Function<RedissonClient, CompletableFuture<Void>> follower) {
		if (this.renewal != null) {
			this.renewal.follow(follower);
		}
	}

	boolean isCluster() {
		return this.config.isClusterConfig();
	}

	int database() {
		return this.database;
	}

	/**
	 * Return one of the names for each primary that has any, except that of another name.
	 */
	List<String> onePerPrimary(List<String> names, String other) {
		if (!isCluster()) {
			return List.of();
		}
		Map<Object, String> primaries = new HashMap<>();
		names.forEach((name) -> primaries.put(primaryOf(name), name));
		primaries.remove(primaryOf(other));
		return List.copyOf(primaries.values());
	}

	private Object primaryOf(String name) {
		ConnectionManager connections = RedissonLine.connections(client());
		int slot = connections.calcSlot(name);
		MasterSlaveEntry primary = RedissonLine.primary(connections, slot);
		return (primary != null) ? primary : slot;
	}

	ReplicationIds replicationIds() {
		return this.replicationIds.get();
	}

	public PrimaryCommands commands(Duration timeout, int retries) {
		return commands(timeout, retries, Duration.ZERO);
	}

	/**
	 * @param unsent for how long a script is sent again that the client has not written:
	 * it gives up when its threads get no processor for 0.4 s
	 */
	PrimaryCommands commands(Duration timeout, int retries, Duration unsent) {
		CommandLimits limits = new CommandLimits(timeout, retries, RETRY_DELAY);
		return new PrimaryCommands(this, limits, limits.longest().plus(SLACK), unsent);
	}

	<T> CompletableFuture<T> send(Supplier<? extends CompletionStage<T>> command) {
		succeedClosedClient();
		if (this.connected) {
			return attempt(command);
		}
		CompletableFuture<T> reply = new CompletableFuture<>();
		this.contact.get().whenComplete((nothing, failure) -> {
			if (failure != null) {
				reply.completeExceptionally(failure);
			}
			else {
				attempt(command).whenComplete((value, ex) -> complete(reply, value, ex));
			}
		});
		return reply;
	}

	/**
	 * Send a command that Redis may hold back, behind all that was sent before. On an
	 * event loop it could overtake what another thread has just sent on the same
	 * connection, which would then have to wait for its reply.
	 */
	<T> CompletableFuture<T> sendBehind(Supplier<? extends CompletionStage<T>> command) {
		return send(() -> CompletableFuture.supplyAsync(command, RedissonLine.executor(client()))
			.thenCompose(Function.identity()));
	}

	static <T> void complete(CompletableFuture<T> reply, T value, @Nullable Throwable failure) {
		if (failure != null) {
			reply.completeExceptionally(failure);
		}
		else {
			reply.complete(value);
		}
	}

	private <T> CompletableFuture<T> attempt(Supplier<? extends CompletionStage<T>> command) {
		try {
			CompletableFuture<T> reply = command.get().toCompletableFuture();
			if (this.renewal != null) {
				reply.whenComplete((value, failure) -> {
					if (failure != null) {
						this.renewal.failed(failure);
					}
				});
			}
			return reply;
		}
		catch (RuntimeException | LinkageError ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletableFuture<Void> beginToConnect() {
		return CompletableFuture.runAsync(this::connect, this.executor);
	}

	private void connect() {
		this.connecting = Thread.currentThread();
		try {
			Redisson client = made();
			RedissonLine.connections(client).getEntrySet();
			requireScripts(client);
			if (this.renewal != null) {
				this.renewal.watch(client);
			}
			this.connected = true;
		}
		finally {
			this.connecting = null;
		}
	}

	private Redisson made() {
		Redisson client = this.client;
		if (client == null) {
			client = (Redisson) Redisson.create(this.config);
			use(client);
		}
		return client;
	}

	/**
	 * Fail if scripts can't be called: Redisson would send the same call again, for ever
	 * and without a pause.
	 */
	private static void requireScripts(Redisson client) {
		boolean missing = client.getCommandExecutor()
			.<Object, Object>writeAsync("", StringCodec.INSTANCE, EVALSHA, "0".repeat(40), 0)
			.toCompletableFuture()
			.copy()
			.orTimeout(SLACK.toMillis(), TimeUnit.MILLISECONDS)
			.handle((nothing, failure) -> failure != null
					&& String.valueOf(RedisFailures.translate(failure).getMessage()).startsWith("ERR unknown command"))
			.join();
		if (missing) {
			throw new MissingCommandsException(List.of(EVALSHA.getName()));
		}
	}

	/**
	 * Close all connections of the guard's own client until {@link #reconnect}.
	 */
	public void disconnect() {
		if (this.owning) {
			close();
		}
	}

	public void reconnect() {
		if (this.owning) {
			this.closed = false;
			connectAnew();
		}
	}

	private void connectAnew() {
		use(RedissonLine.unconnected(this.config));
		this.contact.reset();
		this.connected = false;
	}

	/**
	 * Use a client of the guard's own when the application has closed its one: beans that
	 * it closes later may insert rows.
	 */
	private void succeedClosedClient() {
		if (!this.owning && client().isShuttingDown() && !this.closed) {
			synchronized (this) {
				if (!this.owning) {
					connectAnew();
					this.owning = true;
				}
			}
		}
	}

	private void giveUp() {
		Thread connecting = this.connecting;
		if (connecting != null) {
			connecting.interrupt();
		}
	}

	@Override
	public void close() {
		this.closed = true;
		giveUp();
		Redisson client = this.client;
		if (this.owning && client != null) {
			shutdown(client);
		}
	}

	private static void shutdown(Redisson client) {
		client.shutdown(0, CLOSING.toMillis(), TimeUnit.MILLISECONDS);
	}

}
