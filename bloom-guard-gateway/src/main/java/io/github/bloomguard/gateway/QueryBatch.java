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

package io.github.bloomguard.gateway;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.GuardedFilter;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a query parameter, written as {@code ids=1,2,3} or {@code ids=1&ids=2}.
 *
 * @param joined whether they are one value with commas
 * @param values as they were written
 */
record QueryBatch(boolean joined, List<String> values) {

	/**
	 * @param parameter its values, decoded
	 * @return {@code null} if there are none, or they are written in both ways at once:
	 * it is not known what a service makes of them
	 */
	static @Nullable QueryBatch of(@Nullable List<@Nullable String> parameter) {
		if (parameter == null || parameter.isEmpty()) {
			return null;
		}
		List<String> values = parameter.stream().map((value) -> (value != null) ? value : "").toList();
		if (values.size() == 1) {
			return new QueryBatch(true, List.of(values.get(0).split(",", -1)));
		}
		return values.stream().anyMatch((value) -> value.contains(",")) ? null : new QueryBatch(false, values);
	}

	/**
	 * Decide which keys are asked for. What is to be verified is asked for, as far as the
	 * sources can't tell: a response to many keys does not say which of them exist.
	 */
	Answer<Candidates> ask(GuardedFilter filter) {
		List<@Nullable String> keys = keys();
		return filter.possible(keys)
			.then((candidates) -> candidates.verified().isEmpty() ? Answer.of(candidates)
					: filter.verify(keys, candidates, (positions) -> () -> CompletableFuture
						.failedFuture(new IllegalStateException("A response to many keys proves nothing"))));
	}

	private List<@Nullable String> keys() {
		return this.values.stream().map(QueryBatch::key).toList();
	}

	private static @Nullable String key(String value) {
		return value.isBlank() ? null : value.trim();
	}

	/**
	 * Return the values of the parameter that are left, none if no key is.
	 */
	List<String> thinned(Candidates candidates) {
		BitSet kept = candidates.positions();
		List<String> left = IntStream.range(0, this.values.size())
			.filter((position) -> kept.get(position) || key(this.values.get(position)) == null)
			.mapToObj(this.values::get)
			.toList();
		return (left.isEmpty() || !this.joined) ? left : List.of(String.join(",", left));
	}

	boolean isWhole(Candidates candidates) {
		return candidates.positions().cardinality() == this.values.size();
	}

}
