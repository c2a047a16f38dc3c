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
 * Nine of ten calls are for a row, one is an attack.
 */
final class Mixed extends KeyLoad {

	private final PopularKeys keys;

	Mixed(int threads, Rows rows, PopularKeys keys) {
		super("mixed 9:1", threads, rows);
		this.keys = keys;
	}

	@Override
	public void prepare(Contender contender) {
		this.keys.warm(contender);
	}

	@Override
	LongSupplier keys() {
		LongSupplier rows = this.keys.sequence();
		return () -> (ThreadLocalRandom.current().nextInt(10) == 0) ? Attack.absentKey() : rows.getAsLong();
	}

}
