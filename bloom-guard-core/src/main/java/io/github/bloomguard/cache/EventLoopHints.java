package io.github.bloomguard.cache;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Tells a native image which threads are looked for by the names of their types.
 */
final class EventLoopHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Stream.of("io.netty.util.concurrent.FastThreadLocalThread", "reactor.core.scheduler.NonBlocking")
			.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

}
