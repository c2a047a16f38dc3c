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

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.netty.util.TimerTask;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.BatchOptions;
import org.redisson.api.RScript.ReturnType;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What has another name, another place or none in one of the lines of Redisson that the
 * guard runs with, 3.17 to 4.7. All else that the guard names is the same in all of them.
 * It is compiled against the newest line.
 * <p>
 * Redisson 4 moved {@code NameMapper} to another package, so no method that returns one
 * can be called by its signature.
 */
final class RedissonLine {

	/**
	 * Whether a client can be made without a connection, which came with Redisson 3.23.
	 */
	private static final boolean LAZY = ClassUtils.hasMethod(Config.class, "setLazyInitialization", boolean.class);

	/**
	 * Whether that holds for clusters, too. From Redisson 3.27 to 3.37, such a client
	 * asks one of the nodes before it counts as connected, which waits until it is
	 * connected.
	 */
	private static final boolean LAZY_IN_CLUSTERS = LAZY
			&& Stream.of("org.redisson.cluster.ClusterConnectionManager", "org.redisson.pubsub.PublishSubscribeService")
				.noneMatch((type) -> declares(type, "detectSharding"));

	/**
	 * Whether a batch that shall be sent once is sent as often as the configuration of
	 * the client says, because no retries count as not set. So it is where 0 is the
	 * default.
	 */
	static final boolean RESENDS = BatchOptions.defaults().getRetryAttempts() == 0;

	/**
	 * Redisson 3.20 moved some of what the manager of connections had.
	 */
	private static final boolean SERVICES = ClassUtils.isPresent("org.redisson.connection.ServiceManager",
			RedissonLine.class.getClassLoader());

	/**
	 * Redisson 3.20 to 3.26.0 has it for reads and writes only.
	 */
	private static final boolean ENTRY = ClassUtils.hasMethod(ConnectionManager.class, "getEntry", int.class);

	private static final Set<String> DIRECT = Set.of("org.redisson.api.DefaultNameMapper",
			"org.redisson.config.DefaultNameMapper");

	private RedissonLine() {
	}

	private static boolean declares(String type, String method) {
		ClassLoader loader = RedissonLine.class.getClassLoader();
		return ClassUtils.isPresent(type, loader)
				&& ReflectionUtils.findMethod(ClassUtils.resolveClassName(type, loader), method) != null;
	}

	/**
	 * Let a client connect when it is first used, if it can, or else when it is made. The
	 * servers must have been set before.
	 */
	static <T extends Config> T connectLate(T config) {
		if (LAZY) {
			config.setLazyInitialization(canConnectLate(config));
		}
		return config;
	}

	/**
	 * Return a client that connects when it is first used, or {@code null} if one for
	 * these servers connects when it is made.
	 */
	static @Nullable Redisson unconnected(Config config) {
		return canConnectLate(config) ? (Redisson) Redisson.create(connectLate(new Config(config))) : null;
	}

	private static boolean canConnectLate(Config config) {
		return config.isClusterConfig() ? LAZY_IN_CLUSTERS : LAZY;
	}

	/**
	 * Return the configuration of the servers that a client has, however they were set.
	 */
	static BaseConfig<?> servers(Redisson client) {
		return SERVICES ? client.getServiceManager().getConfig() : (BaseConfig<?>) former(client, "getConfig");
	}

	static int database(BaseConfig<?> servers) {
		Method getter = ReflectionUtils.findMethod(servers.getClass(), "getDatabase");
		return (getter != null && ReflectionUtils.invokeMethod(getter, servers) instanceof Integer number) ? number : 0;
	}

	/**
	 * Return what runs the client's work that may block.
	 */
	static Executor executor(Redisson client) {
		return SERVICES ? client.getServiceManager().getExecutor() : (Executor) former(client, "getExecutor");
	}

	/**
	 * Run a task later, on the timer of the client, with which it ends.
	 */
	static void schedule(Redisson client, Duration delay, Runnable task) {
		TimerTask timed = (timeout) -> task.run();
		if (SERVICES) {
			client.getServiceManager().newTimeout(timed, delay.toMillis(), TimeUnit.MILLISECONDS);
		}
		else {
			Method method = ClassUtils.getMethod(ConnectionManager.class, "newTimeout", TimerTask.class, long.class,
					TimeUnit.class);
			ReflectionUtils.invokeMethod(method, connections(client), timed, delay.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private static Object former(Redisson client, String getter) {
		Method method = ClassUtils.getMethod(ConnectionManager.class, getter);
		return Objects.requireNonNull(ReflectionUtils.invokeMethod(method, connections(client)));
	}

	static ConnectionManager connections(Redisson client) {
		return client.getCommandExecutor().getConnectionManager();
	}

	static @Nullable MasterSlaveEntry primary(ConnectionManager connections, int slot) {
		return ENTRY ? connections.getEntry(slot) : connections.getWriteEntry(slot);
	}

	/**
	 * Return what makes names into others, or {@code null} if they are left as they are.
	 * The mapper stands in the configuration of the servers, and since Redisson 4 in that
	 * of the client, too.
	 */
	static @Nullable String nameMapper(Config client, BaseConfig<?> servers) {
		return Stream.of(client, servers)
			.map(RedissonLine::nameMapper)
			.flatMap(Stream::ofNullable)
			.map((mapper) -> mapper.getClass().getName())
			.findFirst()
			.orElse(null);
	}

	private static @Nullable Object nameMapper(Object config) {
		Method getter = ReflectionUtils.findMethod(config.getClass(), "getNameMapper");
		Object mapper = (getter != null) ? ReflectionUtils.invokeMethod(getter, config) : null;
		return (mapper == null || DIRECT.contains(mapper.getClass().getName())) ? null : mapper;
	}

	/**
	 * Let the configuration leave names as they are.
	 */
	static void leaveNames(Config config, BaseConfig<?> servers) {
		Stream.of(config, servers).filter((place) -> nameMapper(place) != null).forEach((place) -> {
			Class<?> type = ClassUtils.getMethod(place.getClass(), "getNameMapper").getReturnType();
			Object direct = ReflectionUtils.invokeMethod(ClassUtils.getMethod(type, "direct"), null);
			ReflectionUtils.invokeMethod(ClassUtils.getMethod(place.getClass(), "setNameMapper", type), place, direct);
		});
	}

	/**
	 * Return the type of a script's reply, which Redisson 4 has given another name.
	 */
	static ReturnType returnType(RedisCommand<?> command) {
		return Stream.of(ReturnType.values()).filter((type) -> type.getCommand() == command).findFirst().orElseThrow();
	}

}
