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

import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * How much the warm-up runner loads, and how often. {@code --quick} gives a rough
 * picture; each value can be given on its own, such as {@code --keys=1000000}.
 *
 * @param keys how many keys there are
 * @param expectedInsertions how many keys the filters are made for
 * @param added how many of them {@code RBloomFilter.add} is measured with
 * @param rounds how many rounds
 * @param properties what else to set in the guard's warm-up, such as
 * {@code --property=fetch-size=1000}
 */
record WarmUpOptions(long keys, long expectedInsertions, long added, int rounds, List<String> properties) {

	static WarmUpOptions parse(String[] args) {
		SimpleCommandLinePropertySource given = new SimpleCommandLinePropertySource(args);
		boolean quick = given.containsProperty("quick");
		List<String> properties = new DefaultApplicationArguments(args).getOptionValues("property");
		String keys = Options.value(given, "keys", quick ? "1000000" : "10000000");
		return new WarmUpOptions(Long.parseLong(keys),
				Long.parseLong(Options.value(given, "expected-insertions", keys)),
				Long.parseLong(Options.value(given, "added", quick ? "200000" : "1000000")),
				Integer.parseInt(Options.value(given, "rounds", quick ? "1" : "3")),
				(properties != null) ? properties : List.of());
	}

	@Override
	public String toString() {
		return "%,d keys (RBloomFilter.add: %,d of them), filters for %,d, medians of %d rounds%s".formatted(this.keys,
				this.added, this.expectedInsertions, this.rounds,
				this.properties.isEmpty() ? "" : ", with " + this.properties);
	}

}
