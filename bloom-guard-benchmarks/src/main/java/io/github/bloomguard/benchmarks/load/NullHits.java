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

/**
 * Each call is for one of a few keys that don't exist, and that is cached.
 */
final class NullHits extends KeyLoad {

	private static final int KEYS = 100;

	NullHits(int threads, Rows rows) {
		super("null hits", threads, rows);
	}

	@Override
	public void prepare(Contender contender) {
		for (int i = 1; i <= KEYS; i++) {
			contender.find(-i);
		}
	}

	@Override
	LongSupplier keys() {
		return () -> -ThreadLocalRandom.current().nextInt(1, KEYS + 1);
	}

}
