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

package io.github.bloomguard.cache.client;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Makes a Jedis connection factory that waits no longer than a guarded cache may. A Jedis
 * connection waits for as long as its socket was told when it was made, so those of the
 * application can't be used.
 */
final class BoundedJedis {

	private BoundedJedis() {
	}

	static JedisConnectionFactory of(JedisConnectionFactory original, Duration timeout) {
		JedisClientConfiguration client = bounded(original.getClientConfiguration(), timeout.dividedBy(2));
		JedisConnectionFactory factory;
		if (original.getSentinelConfiguration() != null) {
			factory = new JedisConnectionFactory(original.getSentinelConfiguration(), client);
		}
		else if (original.getClusterConfiguration() != null) {
			factory = new JedisConnectionFactory(original.getClusterConfiguration(), client);
		}
		else if (original.getStandaloneConfiguration() != null) {
			factory = new JedisConnectionFactory(original.getStandaloneConfiguration(), client);
		}
		else {
			throw new IllegalStateException("A JedisConnectionFactory without a configuration");
		}
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/**
	 * Change three answers. A proxy, because other versions of Spring Data Redis have
	 * other methods here; all answers are known, because it is asked for each command.
	 */
	private static JedisClientConfiguration bounded(JedisClientConfiguration original, Duration most) {
		Map<Method, Object> answers = new HashMap<>();
		for (Method method : JedisClientConfiguration.class.getMethods()) {
			if (!Modifier.isStatic(method.getModifiers()) && method.getParameterCount() == 0) {
				answers.put(method, bounded(method.getName(), invoke(method, original), most));
			}
		}
		return (JedisClientConfiguration) Proxy.newProxyInstance(BoundedJedis.class.getClassLoader(),
				new Class<?>[] { JedisClientConfiguration.class }, (proxy, method, arguments) -> {
					Object answer = answers.get(method);
					return (answer != null) ? answer : invoke(method, original, arguments);
				});
	}

	private static Object invoke(Method method, Object target, Object... arguments) {
		return Objects.requireNonNull(ReflectionUtils.invokeMethod(method, target, arguments));
	}

	private static Object bounded(String question, Object answer, Duration most) {
		return switch (question) {
			case "getReadTimeout", "getConnectTimeout" -> shorter((Duration) answer, most);
			case "getPoolConfig" ->
				((Optional<?>) answer).map((pool) -> bounded((GenericObjectPoolConfig<?>) pool, most));
			default -> answer;
		};
	}

	private static GenericObjectPoolConfig<?> bounded(GenericObjectPoolConfig<?> original, Duration most) {
		GenericObjectPoolConfig<?> pool = original.clone();
		pool.setMaxWait(
				original.getMaxWaitDuration().isNegative() ? most : shorter(original.getMaxWaitDuration(), most));
		return pool;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.isZero() || one.compareTo(other) > 0) ? other : one;
	}

}
