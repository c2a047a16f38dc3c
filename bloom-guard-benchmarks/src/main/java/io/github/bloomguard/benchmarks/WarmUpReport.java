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

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.github.bloomguard.benchmarks.warmup.Loading;
import io.github.bloomguard.benchmarks.warmup.Loadings;
import io.github.bloomguard.benchmarks.warmup.Run;

/**
 * The runs as a table in Markdown. Speeds are medians, pauses are the longest of all
 * rounds.
 *
 * @param loadings what is compared
 * @param runs the runs of each
 */
record WarmUpReport(Loadings loadings, Map<Loading, List<Run>> runs) {

	@Override
	public String toString() {
		StringBuilder table = new StringBuilder(
				"| | keys/s | of reading only | of RBloomFilter.add | PING p99.9 (ms) | longest PING (ms)"
						+ " | longest command (ms) |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
		this.loadings.all().forEach((loading) -> table.append(row(loading)).append('\n'));
		return table.toString();
	}

	private String row(Loading loading) {
		return String.format(Locale.ROOT, "| %s | %,.0f | %.2f | %.1f | %.1f | %.1f | %.0f |", loading.name(),
				speed(loading), speed(loading) / speed(this.loadings.cursor()),
				speed(loading) / speed(this.loadings.add()), worst(loading, (run) -> run.pauses().p999()),
				worst(loading, (run) -> run.pauses().longest()), worst(loading, Run::longestCommand));
	}

	private double speed(Loading loading) {
		return Observations.median(runsOf(loading).stream().mapToDouble(Run::keysPerSecond).toArray());
	}

	private double worst(Loading loading, ToDoubleFunction<Run> figure) {
		return runsOf(loading).stream().mapToDouble(figure).max().orElse(0);
	}

	private List<Run> runsOf(Loading loading) {
		return this.runs.getOrDefault(loading, List.of());
	}

}
