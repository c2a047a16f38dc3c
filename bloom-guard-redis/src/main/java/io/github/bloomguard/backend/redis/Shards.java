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

package io.github.bloomguard.backend.redis;

import java.util.List;
import java.util.stream.IntStream;

import io.github.bloomguard.filter.FilterSpecification;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * How the bits of a filter are divided among strings, so that no command stops Redis for
 * long, however large the filter, and the servers of a cluster share it. A filter that
 * fits into one string is not divided, and is as {@code RBloomFilter} has it.
 */
record Shards(FilterSpecification specification, int count, BloomLayout layout) {

	private static final int NO_BITS = (BloomLayout.STAMP + 3 * BloomLayout.WORD) / Byte.SIZE;

	static Shards of(FilterSpecification specification) {
		long largest = specification.shardSize();
		BloomLayout whole = BloomLayout.of(specification);
		if (whole.lengthInBytes() <= largest) {
			return new Shards(specification, 1, whole);
		}
		int count = Math.toIntExact(ceilDiv(whole.bits(), (largest - NO_BITS) * Byte.SIZE));
		return new Shards(specification, count,
				BloomLayout.stamped(ceilDiv(whole.bits(), count), whole.hashFunctions()));
	}

	private static long ceilDiv(long dividend, long divisor) {
		return (dividend + divisor - 1) / divisor;
	}

	List<String> names(RedisKeys keys, String generation) {
		return (this.count == 1) ? List.of(keys.bits(generation))
				: IntStream.range(0, this.count).mapToObj((shard) -> keys.bits(generation, shard)).toList();
	}

	/**
	 * Return the string of an element, by a few high bits of its hash. The indexes are
	 * remainders of the whole hash, so they do not depend on those.
	 */
	int of(ElementHash hash) {
		return (int) ((hash.second() >>> Integer.SIZE) * this.count >>> Integer.SIZE);
	}

	Place place(String element) {
		ByteBuf encoded = Unpooled.buffer(ByteBufUtil.utf8MaxBytes(element));
		BloomLayout.encode(element, encoded);
		ElementHash hash = new ElementHash();
		long[] indexes = new long[this.layout.hashFunctions()];
		this.layout.indexes(encoded, hash, indexes, 0);
		return new Place(of(hash), indexes);
	}

	record Place(int shard, long[] indexes) {

	}

}
