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
import java.util.stream.Collectors;

import io.github.bloomguard.benchmarks.column.Column;
import io.github.bloomguard.benchmarks.column.Columns;
import io.github.bloomguard.benchmarks.column.Observation;
import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.contender.Contenders;
import io.github.bloomguard.benchmarks.load.Load;

/**
 * The observations as a table in Markdown, a row for each load and contender.
 *
 * @param observations the observations
 * @param contenders tell what each one is compared with in the last columns
 */
record LoadReport(Observations observations, Contenders contenders) {

	@Override
	public String toString() {
		StringBuilder table = new StringBuilder("| load | contender |");
		Columns.ALL.forEach((column) -> table.append(' ').append(column.title()).append(" |"));
		Columns.COMPARED.forEach((column) -> table.append(" ÷ before, ").append(column.title()).append(" |"));
		table.append("\n| --- | --- |")
			.append(" ---: |".repeat(Columns.ALL.size() + Columns.COMPARED.size()))
			.append('\n');
		for (Load load : this.observations.loads()) {
			for (Contender contender : this.observations.contenders(load)) {
				table.append(row(load, contender)).append('\n');
			}
		}
		return table.append(complaints()).toString();
	}

	private String row(Load load, Contender contender) {
		String figures = Columns.ALL.stream()
			.map((column) -> cell(this.observations.median(column, load, contender), column.digits()))
			.collect(Collectors.joining(" | "));
		String ratios = Columns.COMPARED.stream()
			.map((column) -> ratio(column, load, contender))
			.collect(Collectors.joining(" | "));
		return "| " + load.name() + " | " + contender.name() + " | " + figures + " | " + ratios + " |";
	}

	private String ratio(Column column, Load load, Contender contender) {
		Contender before = this.contenders.before(contender);
		return (before == null || before == contender || !this.observations.contenders(load).contains(before)) ? "–"
				: cell(this.observations.medianRatio(column, load, contender, before), 2);
	}

	private static String cell(double value, int digits) {
		if (!Double.isFinite(value)) {
			return "–";
		}
		String cell = String.format(Locale.ROOT, "%,." + digits + "f", value);
		return cell.matches("-[0.]+") ? cell.substring(1) : cell;
	}

	/**
	 * Calls that failed or returned what is not true spoil a measurement, so they are not
	 * passed over in silence.
	 */
	private String complaints() {
		StringBuilder complaints = new StringBuilder();
		for (Load load : this.observations.loads()) {
			for (Contender contender : this.observations.contenders(load)) {
				List<Observation> seen = this.observations.of(load, contender);
				long failures = seen.stream().mapToLong((round) -> round.recording().failures()).sum();
				long wrong = seen.stream().mapToLong((round) -> round.recording().wrong()).sum();
				if (failures + wrong > 0) {
					complaints.append("\n%s, %s: %,d calls failed, %,d answers were wrong".formatted(load.name(),
							contender.name(), failures, wrong));
				}
			}
		}
		return complaints.toString();
	}

}
