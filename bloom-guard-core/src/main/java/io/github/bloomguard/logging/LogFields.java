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

package io.github.bloomguard.logging;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import org.springframework.util.ClassUtils;

/**
 * Fields of log lines for machines, in SLF4J's diagnostic context if there is SLF4J.
 */
public final class LogFields {

	public static final String FILTER = "bloomGuardFilter";

	private static final boolean SLF4J_PRESENT = ClassUtils.isPresent("org.slf4j.MDC",
			LogFields.class.getClassLoader());

	private LogFields() {
	}

	public static void withFilter(String filter, Runnable action) {
		if (SLF4J_PRESENT) {
			Context.run(filter, action);
		}
		else {
			action.run();
		}
	}

	/**
	 * Loaded only if SLF4J is there.
	 */
	private static final class Context {

		static void run(String filter, Runnable action) {
			String before = MDC.get(FILTER);
			MDC.put(FILTER, filter);
			try {
				action.run();
			}
			finally {
				restore(before);
			}
		}

		private static void restore(@Nullable String before) {
			if (before != null) {
				MDC.put(FILTER, before);
			}
			else {
				MDC.remove(FILTER);
			}
		}

	}

}
