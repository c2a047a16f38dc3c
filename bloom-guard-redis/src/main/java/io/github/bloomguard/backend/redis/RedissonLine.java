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

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.options.ObjectParams;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.command.CommandAsyncService;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;

import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What has another name, another place or none in one of the lines of Redisson that the
 * guard runs with, 3.27 to 4.7. All else that the guard names is the same in all of them.
 * It is compiled against the newest line.
 * <p>
 * Redisson 4 moved {@code NameMapper} to another package, so no method that returns one
 * can be called by its signature.
 */
final class RedissonLine {

	/**
	 * Redisson 3.28 made the constructor protected, and has a method instead.
	 */
	private static final @Nullable Constructor<CommandAsyncService> WITH_OPTIONS = ClassUtils
		.getConstructorIfAvailable(CommandAsyncService.class, CommandAsyncExecutor.class, ObjectParams.class);

	private static final Set<String> DIRECT = Set.of("org.redisson.api.DefaultNameMapper",
			"org.redisson.config.DefaultNameMapper");

	private RedissonLine() {
	}

	/**
	 * Return what makes names of the client into others, or {@code null} if it leaves
	 * them as they are. The mapper stands in the configuration of the servers, and since
	 * Redisson 4 in that of the client, too.
	 */
	static @Nullable String nameMapper(Redisson client) {
		return Stream.of(client.getConfig(), client.getServiceManager().getConfig())
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

	@SuppressWarnings("deprecation") // retryDelay came with 3.46
	static ObjectParams options(Duration timeout, int retries, Duration retryDelay) {
		return (ObjectParams) OptionalOptions.defaults()
			.timeout(timeout)
			.retryAttempts(retries)
			.retryInterval(retryDelay);
	}

	static CommandAsyncExecutor withOptions(CommandAsyncExecutor commands, ObjectParams options) {
		return (WITH_OPTIONS != null) ? BeanUtils.instantiateClass(WITH_OPTIONS, commands, options)
				: commands.copy(options);
	}

	/**
	 * Return the type of a script's reply, which Redisson 4 has given another name.
	 */
	static ReturnType returnType(RedisCommand<?> command) {
		return Stream.of(ReturnType.values()).filter((type) -> type.getCommand() == command).findFirst().orElseThrow();
	}

}
