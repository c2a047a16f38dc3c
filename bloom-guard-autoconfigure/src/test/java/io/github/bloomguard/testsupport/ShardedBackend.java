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

package io.github.bloomguard.testsupport;

import java.time.Duration;

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.catchup.Marks;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.sentinel.EmptySentinels;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Keeps filters in Redis as always, but divides smaller ones than usual.
 */
public abstract class ShardedBackend implements FilterBackend {

	private final FilterBackend redis;

	/**
	 * Create a backend.
	 * @param redis the way to Redis
	 * @param timeout that of the guard
	 * @param shardSize how many bytes of a filter are in one string at most
	 */
	protected ShardedBackend(ObjectProvider<RedisAccess> redis, Duration timeout, int shardSize) {
		this.redis = new RedisBackend(redis::getObject, "bloom-guard", timeout, shardSize);
	}

	@Override
	public String type() {
		return this.redis.type();
	}

	@Override
	public FilterStore filters() {
		return this.redis.filters();
	}

	@Override
	public ControlStore control(BackendSettings settings) {
		return this.redis.control(settings);
	}

	@Override
	public EmptySentinels sentinels(BackendSettings settings) {
		return this.redis.sentinels(settings);
	}

	@Override
	public Marks marks(BackendSettings settings) {
		return this.redis.marks(settings);
	}

}
