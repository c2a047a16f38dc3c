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

import io.github.bloomguard.benchmarks.column.Observation;
import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.contender.Contenders;
import io.github.bloomguard.benchmarks.contender.ProductTable;
import io.github.bloomguard.benchmarks.load.Load;
import io.github.bloomguard.benchmarks.load.Loads;
import io.github.bloomguard.benchmarks.load.Rows;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.Machine;

/**
 * Puts each load on each contender and prints one table. The contenders take turns, a
 * short round each, so that whatever else the machine does meets all of them alike; a
 * figure is the median of its rounds.
 */
public final class LoadRunner {

	private final LoadOptions options;

	private final List<Contender> contenders;

	private final Observations observations = new Observations();

	private LoadRunner(LoadOptions options, List<Contender> contenders) {
		this.options = options;
		this.contenders = contenders;
	}

	/**
	 * Measure.
	 * @param args see {@link LoadOptions}
	 */
	public static void main(String[] args) {
		LoadOptions options = LoadOptions.parse(args);
		try (LocalPostgres postgres = LocalPostgres.start()) {
			ProductTable.create(postgres, options.rows());
			try (Contenders contenders = options.caches() ? Contenders.caches(postgres)
					: Contenders.all(postgres, options.rows())) {
				LoadRunner runner = new LoadRunner(options,
						contenders.all().stream().filter(options::measures).toList());
				Rows rows = new Rows(options.rows());
				(options.caches() ? Loads.ofCaches(rows) : Loads.over(rows)).stream()
					.filter(options::measures)
					.forEach(runner::measure);
				System.out.println(options);
				System.out.println(Machine.describe(contenders.all().get(0).redis(), postgres));
				System.out.println();
				System.out.println(new LoadReport(runner.observations, contenders));
			}
		}
	}

	private void measure(Load load) {
		for (Contender contender : this.contenders) {
			System.err.println(load.name() + ": " + contender.name());
			load.prepare(contender);
			load.run(contender, this.options.warmUp());
		}
		for (int round = 0; round < this.options.rounds(); round++) {
			for (Contender contender : this.contenders) {
				System.gc();
				this.observations.add(load, contender, Observation.of(load, contender, this.options.duration()));
			}
		}
	}

}
