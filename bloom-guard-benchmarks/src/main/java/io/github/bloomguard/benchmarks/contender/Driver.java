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

package io.github.bloomguard.benchmarks.contender;

import java.util.function.Consumer;

import org.redisson.api.RedissonClient;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * Drivers of Spring Data Redis.
 */
enum Driver {

	/**
	 * Spring Boot's own choice.
	 */
	LETTUCE("Lettuce"),

	/**
	 * Spring Boot's other one.
	 */
	JEDIS("Jedis"),

	/**
	 * What an application has that uses Redisson's Spring Boot starter.
	 */
	REDISSON("Redisson");

	private final String title;

	Driver(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

	/**
	 * Return the property that Spring Boot needs.
	 */
	String property() {
		return "spring.data.redis.client-type=" + ((this == JEDIS) ? "jedis" : "lettuce");
	}

	/**
	 * Return what registers the beans that Spring Boot does not make.
	 */
	Consumer<GenericApplicationContext> beans(LocalRedis redis) {
		if (this != REDISSON) {
			return (context) -> {
			};
		}
		return (context) -> {
			context.registerBean(RedissonClient.class, redis::client);
			context.registerBean("redisConnectionFactory", RedisConnectionFactory.class,
					() -> new RedissonConnectionFactory(redis.client()));
		};
	}

}
