package io.github.bloomguard.interceptor;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Tells a native image what {@code #root} has, and which optional libraries are looked
 * for by the names of their types.
 */
final class InterceptorHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(GuardExpression.Root.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		Stream
			.of("reactor.core.publisher.Flux", "kotlinx.coroutines.reactor.MonoKt",
					"org.springframework.http.HttpEntity", "org.springframework.data.domain.Window")
			.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

}
