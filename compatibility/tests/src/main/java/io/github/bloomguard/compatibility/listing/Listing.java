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

package io.github.bloomguard.compatibility.listing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.cache.CacheManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * What an application is made of, without what bloom-guard has added under its own name.
 */
final class Listing {

	private static final String OURS = "io.github.bloomguard.";

	private static final String NOT_OURS = OURS + "compatibility.";

	private final ConfigurableApplicationContext context;

	Listing(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Return one line for each thing, in their order.
	 */
	List<String> lines() {
		List<Stream<String>> parts = new ArrayList<>(List.of(beans(), autoConfigurations(), caching()));
		if (isPresent("org.springframework.data.redis.connection.RedisConnectionFactory")) {
			parts.add(Connections.of(this.context));
		}
		if (isPresent("org.springframework.web.servlet.DispatcherServlet")) {
			parts.add(Converters.ofMvc(this.context));
		}
		if (isPresent("org.springframework.web.reactive.DispatcherHandler")) {
			parts.add(Converters.ofWebFlux(this.context));
		}
		return parts.stream().flatMap((part) -> part).toList();
	}

	private Stream<String> beans() {
		return Stream.of(this.context.getBeanDefinitionNames()).map((name) -> {
			Class<?> type = this.context.getType(name);
			String typeName = (type != null)
					? ClassUtils.getUserClass(type).getName().replaceFirst("\\$\\$Lambda.*", "") : "?";
			return (isOurs(name) || isOurs(typeName)) ? "" : "bean " + name + " " + typeName;
		}).filter((line) -> !line.isEmpty()).sorted();
	}

	private static boolean isOurs(String name) {
		return name.startsWith("bloomGuard") || name.startsWith("bloomAdd") || name.startsWith("bloom-guard")
				|| (name.startsWith(OURS) && !name.startsWith(NOT_OURS));
	}

	private Stream<String> autoConfigurations() {
		return ConditionEvaluationReport.get(this.context.getBeanFactory())
			.getConditionAndOutcomesBySource()
			.entrySet()
			.stream()
			.filter((source) -> source.getValue().isFullMatch() && !isOurs(source.getKey()))
			.map((source) -> "auto-configuration " + source.getKey())
			.sorted();
	}

	private Stream<String> caching() {
		return Stream.concat(
				this.context.getBeansOfType(CacheManager.class)
					.values()
					.stream()
					.map((manager) -> "cache manager " + manager.getClass().getName()),
				Stream.of("spring.cache.type " + this.context.getEnvironment().getProperty("spring.cache.type")));
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, Listing.class.getClassLoader());
	}

	/**
	 * How the application is connected to Redis.
	 */
	private static final class Connections {

		static Stream<String> of(ConfigurableApplicationContext context) {
			return context.getBeansOfType(RedisConnectionFactory.class)
				.values()
				.stream()
				.map((factory) -> "connection " + describe(factory));
		}

		private static String describe(RedisConnectionFactory factory) {
			if (isPresent("io.lettuce.core.RedisClient") && factory instanceof LettuceConnectionFactory lettuce) {
				return "Lettuce " + lettuce.getTimeout() + " " + Pool.of(lettuce);
			}
			if (isPresent("redis.clients.jedis.Jedis") && factory instanceof JedisConnectionFactory jedis) {
				GenericObjectPoolConfig<?> pool = jedis.getPoolConfig();
				return "Jedis " + jedis.getTimeout() + " pool of " + ((pool != null) ? pool.getMaxTotal() : "none");
			}
			return factory.getClass().getName();
		}

	}

	/**
	 * The pool of Lettuce, which needs a library of its own.
	 */
	private static final class Pool {

		static String of(LettuceConnectionFactory lettuce) {
			return (isPresent("org.apache.commons.pool2.impl.GenericObjectPoolConfig")
					&& lettuce.getClientConfiguration() instanceof LettucePoolingClientConfiguration pool)
							? "pool of " + pool.getPoolConfig().getMaxTotal() : "no pool";
		}

	}

	/**
	 * What HTTP messages are read and written by, in the order in which they are asked.
	 */
	private static final class Converters {

		static Stream<String> ofMvc(ConfigurableApplicationContext context) {
			return context.getBeansOfType(RequestMappingHandlerAdapter.class)
				.values()
				.stream()
				.flatMap((adapter) -> adapter.getMessageConverters().stream())
				.map((converter) -> "converter " + converter.getClass().getName() + " "
						+ converter.getSupportedMediaTypes());
		}

		static Stream<String> ofWebFlux(ConfigurableApplicationContext context) {
			return context.getBeansOfType(ServerCodecConfigurer.class)
				.values()
				.stream()
				.flatMap((codecs) -> Stream.concat(
						codecs.getReaders()
							.stream()
							.map((reader) -> "reader " + reader.getClass().getName() + " "
									+ reader.getReadableMediaTypes()),
						codecs.getWriters()
							.stream()
							.map((writer) -> "writer " + writer.getClass().getName() + " "
									+ writer.getWritableMediaTypes())));
		}

	}

}
