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
import java.util.function.ToIntFunction;

/**
 * Draws docs/expirations.svg from docs/expirations.csv. Run it from the root of the repository:
 * {@code java docs/ExpirationsChart.java docs/expirations.csv docs/expirations.svg}
 */
public class ExpirationsChart {

	private static final int FIRST_SECOND = 50;

	private static final int WIDTH = 720;

	private static final int PANEL = 130;

	private static final int LEFT = 70;

	private static final int BAR = 30;

	private final StringBuilder svg = new StringBuilder();

	private final List<Row> rows;

	private ExpirationsChart(List<Row> rows) {
		this.rows = rows;
	}

	public static void main(String[] args) throws Exception {
		List<Row> rows = Files.readAllLines(Path.of(args[0]))
			.stream()
			.skip(1)
			.map((line) -> line.split(","))
			.map((cells) -> new Row(Integer.parseInt(cells[0]), Integer.parseInt(cells[1]),
					Integer.parseInt(cells[2])))
			.filter((row) -> row.second() >= FIRST_SECOND)
			.toList();
		Files.writeString(Path.of(args[1]), new ExpirationsChart(rows).draw());
	}

	private String draw() {
		this.svg.append("""
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d 420" font-family="sans-serif" font-size="13" \
				role="img" aria-label="Expirations per second without and with jitter">
				<rect width="100%%" height="100%%" fill="#ffffff"/>
				<text x="%d" y="24" font-size="15" font-weight="bold" fill="#222222">\
				Expirations per second of 100,000 entries written with a time to live of 60 s</text>
				""".formatted(WIDTH, LEFT));
		int max = this.rows.stream().mapToInt((row) -> Math.max(row.without(), row.with())).max().orElse(1);
		panel(60, max, "without jitter", "#c0392b", Row::without);
		panel(240, max, "with jitter 0.1", "#2471a3", Row::with);
		this.svg.append("<text x=\"%d\" y=\"408\" fill=\"#555555\">seconds after the write</text>%n".formatted(LEFT));
		return this.svg.append("</svg>\n").toString();
	}

	private void panel(int top, int max, String title, String color, ToIntFunction<Row> count) {
		int busiest = this.rows.stream().mapToInt(count).max().orElse(1);
		int bottom = top + PANEL;
		this.svg.append("<text x=\"%d\" y=\"%d\" fill=\"#222222\">%s: %s in the busiest second</text>%n".formatted(LEFT,
				top - 8, title, String.format(Locale.ROOT, "%,d", busiest)));
		this.svg.append("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#999999\"/>%n".formatted(LEFT, bottom,
				LEFT + BAR * this.rows.size(), bottom));
		this.svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#555555\">%s</text>%n".formatted(LEFT - 8,
				top + 10, String.format(Locale.ROOT, "%,d", max)));
		for (Row row : this.rows) {
			int x = LEFT + BAR * (row.second() - FIRST_SECOND);
			int height = Math.round((float) PANEL * count.applyAsInt(row) / max);
			if (height > 0) {
				this.svg.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>%n".formatted(x + 2,
						bottom - height, BAR - 4, height, color));
			}
			if (row.second() % 2 == 0) {
				this.svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555555\">%d</text>%n"
					.formatted(x, bottom + 16, row.second()));
			}
		}
	}

	private record Row(int second, int without, int with) {

	}

}
