package io.github.bloomguard.autoconfigure.redis;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * Tells a native image which properties are bound without a bean of their own, and which
 * drivers are looked for by the names of their types.
 */
final class RedisHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		BindableRuntimeHintsRegistrar.forTypes(RedisProperties.class).registerHints(hints);
		Stream.of("io.lettuce.core.RedisClient", "redis.clients.jedis.Jedis")
			.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

}
