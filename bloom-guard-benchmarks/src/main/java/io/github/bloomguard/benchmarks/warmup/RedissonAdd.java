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

import java.util.ArrayList;
import java.util.List;

import org.redisson.api.RBloomFilter;
import org.redisson.client.codec.StringCodec;

import org.springframework.util.Assert;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * Adds the keys to Redisson's Bloom filter, a thousand at a time, while it reads them.
 */
final class RedissonAdd implements Loading {

	private static final int CHUNK = 1000;

	private final LocalRedis redis = LocalRedis.start();

	private final KeyTable table;

	private final FilterSize size;

	private final long limit;

	/**
	 * PostgreSQL may begin anywhere in the table.
	 */
	private long lastRead;

	RedissonAdd(KeyTable table, FilterSize size, long limit) {
		this.table = table;
		this.size = size;
		this.limit = limit;
	}

	@Override
	public String name() {
		return "RBloomFilter.add in chunks of 1,000 (p = %s)".formatted(this.size.falsePositiveProbability());
	}

	@Override
	public long run() {
		RBloomFilter<String> filter = filter();
		filter.delete();
		filter.tryInit(this.size.expectedInsertions(), this.size.falsePositiveProbability());
		List<String> chunk = new ArrayList<>(CHUNK);
		long read = this.table.read(this.limit, (key) -> {
			this.lastRead = key;
			chunk.add(Long.toString(key));
			if (chunk.size() == CHUNK) {
				filter.add(chunk);
				chunk.clear();
			}
		});
		if (!chunk.isEmpty()) {
			filter.add(chunk);
		}
		return read;
	}

	@Override
	public void verify() {
		Assert.state(filter().contains(Long.toString(this.lastRead)), "A key is missing");
	}

	private RBloomFilter<String> filter() {
		return this.redis.client().getBloomFilter("entries", StringCodec.INSTANCE);
	}

	@Override
	public LocalRedis redis() {
		return this.redis;
	}

}
