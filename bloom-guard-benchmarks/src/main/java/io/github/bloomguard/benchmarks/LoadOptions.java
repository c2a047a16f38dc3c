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

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.load.Load;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.util.Assert;

/**
 * How long and how often the load runner measures. {@code --quick} gives a rough picture
 * in less than two minutes; each value can be given on its own, such as
 * {@code --duration=10s}, or {@code --loads=attack --contenders='Redisson|guard'} to
 * measure these only. {@code --caches} compares guarded caches with plain ones, with each
 * driver.
 *
 * @param rounds how many rounds
 * @param duration how long a load is put on one contender in one round
 * @param warmUp how long before the first round, so that the code is compiled
 * @param rows how many products there are
 * @param loads is found in the names of the loads that are measured
 * @param contenders is found in the names of the contenders that are measured
 * @param caches whether only the guarded caches are measured, with each driver
 */
record LoadOptions(int rounds, Duration duration, Duration warmUp, int rows, Pattern loads, Pattern contenders,
		boolean caches) {

	private static final Set<String> NAMES = new TreeSet<>(
			Set.of("quick", "rounds", "duration", "warm-up", "rows", "loads", "contenders", "caches"));

	static LoadOptions parse(String[] args) {
		SimpleCommandLinePropertySource given = new SimpleCommandLinePropertySource(args);
		for (String name : given.getPropertyNames()) {
			Assert.isTrue(NAMES.contains(name), () -> "There is no option --" + name + ", only " + NAMES);
		}
		boolean quick = given.containsProperty("quick");
		return new LoadOptions(Integer.parseInt(Options.value(given, "rounds", quick ? "2" : "3")),
				DurationStyle.detectAndParse(Options.value(given, "duration", quick ? "800ms" : "4s")),
				DurationStyle.detectAndParse(Options.value(given, "warm-up", quick ? "600ms" : "3s")),
				Integer.parseInt(Options.value(given, "rows", quick ? "10000" : "50000")),
				Pattern.compile(Options.value(given, "loads", "")),
				Pattern.compile(Options.value(given, "contenders", "")), given.containsProperty("caches"));
	}

	boolean measures(Load load) {
		return this.loads.matcher(load.name()).find();
	}

	boolean measures(Contender contender) {
		return this.contenders.matcher(contender.name()).find();
	}

	@Override
	public String toString() {
		return "%d rounds of %d ms for each load and contender after %d ms of warm-up, medians; %,d rows"
			.formatted(this.rounds, this.duration.toMillis(), this.warmUp.toMillis(), this.rows);
	}

}
