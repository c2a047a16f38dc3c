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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.benchmarks.entity.ArticleApplication;
import io.github.bloomguard.benchmarks.entity.ArticleWriter;
import io.github.bloomguard.benchmarks.entity.HibernateWriter;
import io.github.bloomguard.benchmarks.entity.MyBatisWriter;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.Machine;
import org.HdrHistogram.Histogram;

/**
 * Measures what a filter of an entity or a table adds to the time of a transaction that
 * inserts rows of it, beside the same application without the guard, in turns.
 */
public final class InsertRunner {

	private static final int TRANSACTIONS = 50;

	private static final int ROUNDS = 25;

	private InsertRunner() {
	}

	/**
	 * Measure.
	 * @param args what inserts the rows, {@code hibernate} (the default) or
	 * {@code mybatis}; then how many a transaction inserts, without any 1, 100 and 1,000
	 */
	public static void main(String[] args) {
		boolean myBatis = args.length > 0 && args[0].equals("mybatis");
		List<Integer> sizes = (args.length > 1) ? Stream.of(args).skip(1).map(Integer::valueOf).toList()
				: List.of(1, 100, 1000);
		try (LocalPostgres postgres = LocalPostgres.start();
				ArticleApplication before = application(postgres.dataSource(), myBatis, false);
				ArticleApplication guarded = application(postgres.dataSource(), myBatis, true)) {
			System.out.println(Machine.describe(guarded.redis(), postgres));
			System.out.println();
			for (int round = 0; round < ROUNDS; round++) {
				run(before, 1000);
				run(guarded, 1000);
			}
			System.out.println("| rows | p | without the guard, p50 ms | with a filter, p50 ms | ratio |");
			System.out.println("| ---: | ---: | ---: | ---: | ---: |");
			sizes.forEach((rows) -> measure(before, guarded, rows));
		}
	}

	private static ArticleApplication application(DataSource dataSource, boolean myBatis, boolean guarded) {
		ArticleWriter writer = myBatis ? new MyBatisWriter(dataSource) : new HibernateWriter(dataSource);
		return new ArticleApplication(writer, dataSource, guarded);
	}

	private static void measure(ArticleApplication before, ArticleApplication guarded, int rows) {
		List<Double> without = new ArrayList<>();
		List<Double> with = new ArrayList<>();
		List<Double> ratios = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			without.add(run(before, rows));
			with.add(run(guarded, rows));
			ratios.add(with.get(round) / without.get(round));
		}
		System.out.printf(Locale.ROOT, "| %,d | %s | %.2f | %.2f | %.2f |%n", rows, ArticleApplication.PROBABILITY,
				median(without), median(with), median(ratios));
	}

	private static double run(ArticleApplication application, int rows) {
		Histogram times = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
		for (int i = 0; i < TRANSACTIONS; i++) {
			times.recordValue(application.insert(rows));
		}
		return times.getValueAtPercentile(50) / 1e6;
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().toList().get(values.size() / 2);
	}

}
