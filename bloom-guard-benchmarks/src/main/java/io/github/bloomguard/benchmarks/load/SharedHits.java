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

package io.github.bloomguard.benchmarks.load;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.contender.Product;
import org.jspecify.annotations.Nullable;

/**
 * Each call is for one of a few rows that are cached, by a method that shares its loads:
 * {@code sync = true}.
 */
final class SharedHits extends KeyLoad {

	private static final int KEYS = 100;

	SharedHits(int threads, Rows rows) {
		super("hits of sync = true", threads, rows);
	}

	@Override
	public void prepare(Contender contender) {
		for (int i = 1; i <= KEYS; i++) {
			contender.findShared(i);
		}
	}

	@Override
	@Nullable Product read(Contender contender, long id) {
		return contender.findShared(id);
	}

	@Override
	LongSupplier keys() {
		return () -> ThreadLocalRandom.current().nextInt(1, KEYS + 1);
	}

}
