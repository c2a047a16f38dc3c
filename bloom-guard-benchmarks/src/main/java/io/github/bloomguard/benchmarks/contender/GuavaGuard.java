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

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;

/**
 * Guava's Bloom filter in the memory of this JVM, asked by hand. It knows nothing of the
 * rows that other instances insert.
 */
final class GuavaGuard extends FilteredCacheable {

	private final BloomFilter<Long> filter;

	GuavaGuard(PlainCacheable cacheable, int rows, double falsePositiveProbability) {
		super(cacheable, "Guava BloomFilter", falsePositiveProbability);
		this.filter = BloomFilter.create(Funnels.longFunnel(), rows, falsePositiveProbability);
		for (long id = 1; id <= rows; id++) {
			this.filter.put(id);
		}
	}

	@Override
	boolean mightContain(long id) {
		return this.filter.mightContain(id);
	}

}
