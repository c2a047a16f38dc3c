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

package io.github.bloomguard.compatibility.catalogue;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;

import org.springframework.context.ApplicationContext;

/**
 * Asks the application what a user would ask it, for where there is no test framework.
 */
public final class SelfCheck {

	/**
	 * What is returned if everything is right.
	 */
	public static final String GUARDED = "Everything is guarded";

	private static final long MOST = Duration.ofSeconds(30).toNanos();

	private static final long ABSENT = 1_000_000;

	private SelfCheck() {
	}

	/**
	 * See whether the application is guarded.
	 * @param context the application
	 * @return {@link #GUARDED}
	 * @throws IllegalStateException if it is not
	 */
	public static String run(ApplicationContext context) {
		BloomGuard guard = context.getBean(BloomGuard.class);
		Catalogue catalogue = context.getBean(Catalogue.class);
		long start = System.nanoTime();
		while (guard.membership("products", 1) != Membership.MAYBE) {
			check(() -> System.nanoTime() - start < MOST, "the filter gets ready");
			Thread.yield();
		}
		long id = System.nanoTime();
		int before = catalogue.calls();
		check(() -> catalogue.find(ABSENT) == null, "an id that does not exist is not found");
		check(() -> catalogue.calls() == before, "it is not looked for");
		check(() -> catalogue.find(42) != null, "an id that exists is found");
		check(() -> catalogue.find(id) == null, "an id to come is not found");
		check(() -> catalogue.create(id, "new").equals(catalogue.find(id)), "an id that was added is found");
		return GUARDED;
	}

	private static void check(BooleanSupplier condition, String what) {
		if (!condition.getAsBoolean()) {
			throw new IllegalStateException("It is not true that " + what);
		}
	}

}
