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

package io.github.bloomguard.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.bloomguard.benchmarks.column.Column;
import io.github.bloomguard.benchmarks.column.Observation;
import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.load.Load;

/**
 * Observations by load, contender and round.
 */
final class Observations {

	private final Map<Load, Map<Contender, List<Observation>>> rounds = new LinkedHashMap<>();

	void add(Load load, Contender contender, Observation observation) {
		this.rounds.computeIfAbsent(load, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(contender, (key) -> new ArrayList<>())
			.add(observation);
	}

	Set<Load> loads() {
		return this.rounds.keySet();
	}

	Set<Contender> contenders(Load load) {
		return this.rounds.getOrDefault(load, Map.of()).keySet();
	}

	List<Observation> of(Load load, Contender contender) {
		return this.rounds.getOrDefault(load, Map.of()).getOrDefault(contender, List.of());
	}

	/**
	 * Return the median of all rounds.
	 */
	double median(Column column, Load load, Contender contender) {
		return median(of(load, contender).stream().mapToDouble(column::value).toArray());
	}

	/**
	 * Return the median of the ratios in each round, in which both were measured shortly
	 * one after the other.
	 */
	double medianRatio(Column column, Load load, Contender one, Contender other) {
		List<Observation> numerators = of(load, one);
		List<Observation> denominators = of(load, other);
		return median(IntStream.range(0, numerators.size())
			.mapToDouble((round) -> column.value(numerators.get(round)) / column.value(denominators.get(round)))
			.toArray());
	}

	static double median(double[] values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

}
