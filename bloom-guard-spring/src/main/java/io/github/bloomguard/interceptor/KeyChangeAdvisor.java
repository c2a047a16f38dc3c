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

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomRemove;
import io.github.bloomguard.interceptor.MethodAdviceSource.MethodAdvice;

import org.springframework.core.Ordered;

/**
 * Adds keys after {@link BloomAdd} methods, and removes them after {@link BloomRemove}
 * methods, inside the transaction of the method: keys are there before the row can be
 * seen, and gone after it can't be any more.
 * <p>
 * The transaction advisor has the lowest precedence already, so no order puts this one
 * after it for certain: {@link BloomGuardPostProcessor} moves it to the end of each
 * proxy's chain.
 */
public final class KeyChangeAdvisor extends GuardAdvisor {

	private static final long serialVersionUID = 1L;

	public KeyChangeAdvisor(MethodAdviceSource source) {
		super(source, MethodAdvice::change, Ordered.LOWEST_PRECEDENCE);
	}

}
