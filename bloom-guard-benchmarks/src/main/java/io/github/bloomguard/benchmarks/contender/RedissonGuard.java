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

package io.github.bloomguard.benchmarks.contender;

import java.util.List;
import java.util.stream.IntStream;

import org.redisson.api.RBloomFilter;
import org.redisson.client.codec.StringCodec;

/**
 * Redisson's Bloom filter, asked by hand.
 */
final class RedissonGuard extends FilteredCacheable {

	private static final int CHUNK = 1000;

	private final RBloomFilter<String> filter;

	RedissonGuard(PlainCacheable cacheable, int rows, double falsePositiveProbability) {
		super(cacheable, "Redisson RBloomFilter", falsePositiveProbability);
		this.filter = cacheable.redis().client().getBloomFilter("products", StringCodec.INSTANCE);
		this.filter.tryInit(rows, falsePositiveProbability);
		for (int from = 1; from <= rows; from += CHUNK) {
			List<String> chunk = IntStream.range(from, Math.min(from + CHUNK, rows + 1))
				.mapToObj(String::valueOf)
				.toList();
			this.filter.add(chunk);
		}
	}

	@Override
	boolean mightContain(long id) {
		return this.filter.contains(String.valueOf(id));
	}

}
