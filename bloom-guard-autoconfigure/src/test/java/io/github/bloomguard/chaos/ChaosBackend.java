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

package io.github.bloomguard.chaos;

import java.time.Duration;

import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.testsupport.ShardedBackend;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Divides filters into as many strings as {@code -Dchaos.shards=} says if they are for
 * {@value #KEYS} keys, and larger ones into more.
 */
class ChaosBackend extends ShardedBackend {

	/**
	 * For how many keys the filters of the shop are.
	 */
	static final long KEYS = 10_000;

	/**
	 * Those of the stranger are for so many that they are always divided.
	 */
	static final long MORE_KEYS = 30_000;

	static final String PROPERTY = "chaos.shards";

	static final int SHARDS = Integer.getInteger(PROPERTY, 1);

	/**
	 * At a probability of 0.3.
	 */
	private static final double BYTES_EACH = 2.506 / 8;

	private static final int NO_BITS = 64;

	ChaosBackend(ObjectProvider<RedisAccess> redis) {
		super(redis, Instance.TIMEOUT, NO_BITS + (int) (KEYS * BYTES_EACH / SHARDS));
	}

}
