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

import java.util.SplittableRandom;

import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.redisson.misc.Hash;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares {@link ElementHash} with Redisson's own hash.
 */
class ElementHashTests {

	@Test
	void hashIsThatOfRedissonForEachLength() {
		SplittableRandom random = new SplittableRandom(1);
		ElementHash hash = new ElementHash();
		for (int i = 0; i < 300_000; i++) {
			byte[] bytes = new byte[1000];
			int length = (i % 100 == 0) ? random.nextInt(bytes.length) : i % 100;
			random.nextBytes(bytes);
			hash.hash(bytes, length);
			assertThat(new long[] { hash.first(), hash.second() })
				.isEqualTo(Hash.hash128(Unpooled.wrappedBuffer(bytes, 0, length)));
		}
	}

}
