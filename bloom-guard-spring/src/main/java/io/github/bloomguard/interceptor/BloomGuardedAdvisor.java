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

package io.github.bloomguard.interceptor;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.interceptor.MethodAdviceSource.MethodAdvice;

import org.springframework.core.Ordered;

/**
 * Puts {@link BloomGuarded} methods behind their filters, outside caches and
 * transactions, whose advisors have the lowest precedence.
 * <p>
 * A method that returns a reactive type or a {@code CompletableFuture}, or is a Kotlin
 * {@code suspend} function, does not make its caller wait. It may be called by another
 * thread than that of its caller, and sees of what is bound to that only what the
 * application's {@code TaskDecorator} beans bring.
 */
public final class BloomGuardedAdvisor extends GuardAdvisor {

	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	private static final long serialVersionUID = 1L;

	public BloomGuardedAdvisor(MethodAdviceSource source) {
		super(source, MethodAdvice::guard, DEFAULT_ORDER);
	}

}
