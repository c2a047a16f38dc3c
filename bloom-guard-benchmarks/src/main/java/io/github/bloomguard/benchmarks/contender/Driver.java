package io.github.bloomguard.benchmarks.contender;

import java.util.function.Consumer;

import org.redisson.api.RedissonClient;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * What connects Spring Data Redis to Redis.
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
