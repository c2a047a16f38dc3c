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


import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Draws docs/attack.svg from the table "An attack" of docs/internals/measurements.md. Run it from the root of the
 * repository: {@code java docs/AttackChart.java docs/internals/measurements.md docs/attack.svg}
 */
public class AttackChart {

	private static final String CALLERS = "64";

	private static final List<String> SHOWN = List.of("before", "Redisson, 1 %", "bloom-guard, no mirror", "bloom-guard");

	private static final List<String> NAMES = List.of("@Cacheable alone", "RBloomFilter by hand, 1 %",
			"bloom-guard without mirror", "bloom-guard");

	private static final List<String> COLORS = List.of("#c0392b", "#d68910", "#5499c7", "#1f618d");

	private static final int WIDTH = 760;

	private static final int LEFT = 200;

	private static final int BARS = 430;

	private static final int BAR = 24;

	private final StringBuilder svg = new StringBuilder();

	private final List<Row> rows;

	private AttackChart(List<Row> rows) {
		this.rows = rows;
	}

	public static void main(String[] args) throws Exception {
		String page = Files.readString(Path.of(args[0]));
		List<Row> rows = page.substring(page.indexOf("\n## An attack\n"))
			.lines()
			.filter((line) -> line.startsWith("| " + CALLERS + " |"))
			.map((line) -> line.split(" *\\| *"))
			.map((cells) -> new Row(cells[2], number(cells[3]), number(cells[6])))
			.limit(6)
			.filter((row) -> SHOWN.contains(row.contender()))
			.toList();
		Files.writeString(Path.of(args[1]), new AttackChart(rows).draw());
	}

	private static double number(String cell) {
		return Double.parseDouble(cell.replace(",", ""));
	}

	private String draw() {
		this.svg.append("""
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d 372" font-family="sans-serif" font-size="13" \
				role="img" aria-label="An attack by 64 callers: calls per second, and how many of 1,000 reach the database">
				<rect width="100%%" height="100%%" fill="#ffffff"/>
				<text x="16" y="26" font-size="15" font-weight="bold" fill="#222222">\
				An attack by 64 callers, each call with another random key that does not exist</text>
				""".formatted(WIDTH));
		panel(60, "calls answered per second", 1_000, 10_000_000, Row::calls);
		panel(212, "of 1,000 calls, so many reach the database", 0.1, 1_000, Row::queries);
		this.svg.append("<text x=\"16\" y=\"358\" fill=\"#555555\">Both scales are logarithmic: each line is ten times the"
				+ " one before.</text>%n".formatted());
		return this.svg.append("</svg>\n").toString();
	}

	private void panel(int top, String title, double first, double last, ToDoubleFunction<Row> value) {
		this.svg.append("<text x=\"16\" y=\"%d\" fill=\"#222222\">%s</text>%n".formatted(top, title));
		double decades = Math.log10(last / first);
		for (int i = 0; i <= Math.round(decades); i++) {
			long x = LEFT + Math.round(BARS * i / decades);
			this.svg.append("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#e5e5e5\"/>%n".formatted(x, top + 10, x,
					top + 10 + 4 * (BAR + 4)));
		}
		for (Row row : this.rows) {
			int kind = SHOWN.indexOf(row.contender());
			int y = top + 12 + kind * (BAR + 4);
			double amount = value.applyAsDouble(row);
			long width = Math.round(BARS * Math.log10(amount / first) / decades);
			this.svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#222222\">%s</text>%n".formatted(LEFT - 10,
					y + 16, NAMES.get(kind)));
			this.svg.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>%n".formatted(LEFT, y, width,
					BAR, COLORS.get(kind)));
			this.svg.append("<text x=\"%d\" y=\"%d\" fill=\"#222222\">%s</text>%n".formatted(LEFT + width + 8, y + 16,
					String.format(Locale.ROOT, (amount < 100) ? "%.1f" : "%,.0f", amount)));
		}
	}

	private record Row(String contender, double calls, double queries) {

	}

}
