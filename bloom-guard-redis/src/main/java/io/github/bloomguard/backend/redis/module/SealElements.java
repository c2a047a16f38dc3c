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

package io.github.bloomguard.backend.redis.module;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Elements without which the answers of a filter do not count, in place of a
 * {@code SealWord}. They begin with the name of the filter, which is never used for
 * another one and not to be guessed. Each may be a false positive; all together are with
 * a probability below {@value #PROBABILITY}, even in a filter that is full.
 *
 * @param loading are there from the beginning, and show that nothing was lost since
 * @param sealed are added when the filter is complete
 */
record SealElements(List<byte[]> loading, List<byte[]> sealed) {

	static final double PROBABILITY = 1e-12;

	static SealElements of(String name, FilterSize size) {
		int number = number(size);
		return new SealElements(elements(name + "|loading|", number), elements(name + "|sealed|", number));
	}

	static int number(FilterSize size) {
		return (int) Math.ceil(Math.log(PROBABILITY) / Math.log(size.worstFalsePositiveProbability()));
	}

	private static List<byte[]> elements(String prefix, int number) {
		return IntStream.range(0, number)
			.mapToObj((index) -> (prefix + index).getBytes(StandardCharsets.UTF_8))
			.toList();
	}

	int count() {
		return this.loading.size() + this.sealed.size();
	}

}
