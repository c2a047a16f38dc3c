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

import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * The threads that must not block: those of Netty, on which Redis drivers answer, and
 * those that Reactor has marked. Waiting there for Redis is waiting for oneself.
 */
final class EventLoops {

	private static final Class<?>[] TYPES = Stream
		.of("io.netty.util.concurrent.FastThreadLocalThread", "reactor.core.scheduler.NonBlocking")
		.map(EventLoops::find)
		.filter(Objects::nonNull)
		.toArray(Class<?>[]::new);

	private EventLoops() {
	}

	static boolean isCurrentThread() {
		Thread thread = Thread.currentThread();
		for (Class<?> type : TYPES) {
			if (type.isInstance(thread)) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable Class<?> find(String name) {
		ClassLoader classLoader = EventLoops.class.getClassLoader();
		return ClassUtils.isPresent(name, classLoader) ? ClassUtils.resolveClassName(name, classLoader) : null;
	}

}
