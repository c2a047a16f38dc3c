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

package io.github.bloomguard.benchmarks.load;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import org.springframework.util.Assert;

import io.github.bloomguard.benchmarks.contender.Contender;

/**
 * Keys that exist, some of which are read far more often than others: the one of rank
 * <i>r</i> with a probability in proportion to 1 ÷ <i>r</i> (Zipf). They are drawn in
 * advance, so that drawing them takes no time while it is measured.
 */
final class PopularKeys {

	private static final int DRAWN = 1 << 20;

	private static final int WARMERS = 8;

	private final Set<Contender> warmed = new HashSet<>();

	private final int rows;

	private final int[] drawn;

	PopularKeys(Rows rows) {
		this.rows = rows.warm();
		Random random = new Random(42);
		// which rank a key has, has nothing to do with its number
		int[] byRank = shuffled(this.rows, random);
		double[] cumulated = new double[this.rows];
		double sum = 0;
		for (int rank = 1; rank <= this.rows; rank++) {
			sum += 1.0 / rank;
			cumulated[rank - 1] = sum;
		}
		this.drawn = new int[DRAWN];
		for (int i = 0; i < DRAWN; i++) {
			int found = Arrays.binarySearch(cumulated, random.nextDouble() * sum);
			this.drawn[i] = byRank[Math.min((found >= 0) ? found : -found - 1, this.rows - 1)];
		}
	}

	private static int[] shuffled(int count, Random random) {
		int[] ids = IntStream.rangeClosed(1, count).toArray();
		for (int i = count - 1; i > 0; i--) {
			int other = random.nextInt(i + 1);
			int id = ids[i];
			ids[i] = ids[other];
			ids[other] = id;
		}
		return ids;
	}

	/**
	 * Return an endless sequence of keys for one caller.
	 */
	LongSupplier sequence() {
		return new LongSupplier() {

			private int next = ThreadLocalRandom.current().nextInt(DRAWN);

			@Override
			public long getAsLong() {
				this.next = (this.next + 1) % DRAWN;
				return PopularKeys.this.drawn[this.next];
			}

		};
	}

	/**
	 * Read each row once, so that it is cached, unless that has been done before.
	 */
	void warm(Contender contender) {
		if (!this.warmed.add(contender)) {
			return;
		}
		AtomicInteger next = new AtomicInteger(1);
		Recording reads = Callers.run(WARMERS, (recorder) -> {
			for (int id = next.getAndIncrement(); id <= this.rows; id = next.getAndIncrement()) {
				recorder.call(contender::find, id, true);
			}
		}, 0);
		Assert.state(reads.failures() + reads.wrong() == 0, () -> contender.name() + " does not find all rows");
	}

}
