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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.Callable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Lets something be done around each command to Redis.
 */
final class SteppedRedis {

	private static final Set<String> COMMANDS = Set.of("get", "set", "pSetEx", "del", "unlink", "keys", "eval",
			"evalSha");

	private SteppedRedis() {
	}

	/**
	 * Return a connection factory.
	 * @param factory gives the connections
	 * @param advice is called instead of each command
	 */
	static RedisConnectionFactory of(RedisConnectionFactory factory, Advice advice) {
		return proxy(RedisConnectionFactory.class, factory, advice);
	}

	private static <T> T proxy(Class<T> type, Object target, Advice advice) {
		return type.cast(Proxy.newProxyInstance(SteppedRedis.class.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> {
					if (COMMANDS.contains(method.getName())) {
						return advice.around(method.getName(), arguments, () -> invoke(method, target, arguments));
					}
					Object result = invoke(method, target, arguments);
					return (result != null && isConnection(method.getReturnType()))
							? proxy(method.getReturnType(), result, advice) : result;
				}));
	}

	private static boolean isConnection(Class<?> type) {
		return type.isInterface() && type.getPackage().equals(RedisConnectionFactory.class.getPackage());
	}

	private static Object invoke(Method method, Object target, Object[] arguments) throws Exception {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof Exception cause) {
				throw cause;
			}
			throw ex;
		}
	}

	/**
	 * Is called instead of a command.
	 */
	@FunctionalInterface
	interface Advice {

		Object around(String command, Object[] arguments, Callable<Object> proceed) throws Exception;

	}

}
