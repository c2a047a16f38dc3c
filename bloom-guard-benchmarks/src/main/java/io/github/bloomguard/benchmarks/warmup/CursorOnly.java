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

package io.github.bloomguard.benchmarks.warmup;

import java.util.concurrent.atomic.LongAdder;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * Reads the keys and does nothing with them. Its Redis is idle, and shows what a pause
 * looks like that is none.
 */
final class CursorOnly implements Loading {

	private final LocalRedis redis = LocalRedis.start();

	private final LongAdder sum = new LongAdder();

	private final KeyTable table;

	CursorOnly(KeyTable table) {
		this.table = table;
	}

	@Override
	public String name() {
		return "only reading the cursor";
	}

	@Override
	public long run() {
		return this.table.read(Long.MAX_VALUE, this.sum::add);
	}

	@Override
	public LocalRedis redis() {
		return this.redis;
	}

}
