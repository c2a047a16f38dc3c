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

import java.util.concurrent.TimeUnit;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import io.github.bloomguard.Membership;
import io.github.bloomguard.benchmarks.mirror.MirrorInstance;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.instance.GenerationalFilter;

/**
 * Lookups in the mirror of a running instance, with its trust looked at, beside those in
 * Guava's filter of the same size with the same keys: numbers, and texts of 24
 * characters. Run it with {@code -prof gc} and at least 4 GB of heap. Keys are asked for
 * in batches that are sampled, because a median does not mind what else the machine does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // set up before each run
public class MirrorLookupBenchmark {

	private static final int ASKED = 1 << 12;

	/**
	 * How many keys there are.
	 */
	@Param({ "100000", "10000000", "100000000" })
	public int keys;

	/**
	 * The share of absent keys that pass.
	 */
	@Param("0.001")
	public double probability;

	private final LocalRedis redis = LocalRedis.start();

	private MirrorInstance instance;

	private GenerationalFilter mirror;

	private BloomFilter<Long> guavaNumbers;

	private BloomFilter<CharSequence> guavaTexts;

	private final Long[] present = new Long[ASKED];

	private final Long[] absent = new Long[ASKED];

	private final String[] presentNumbers = new String[ASKED];

	private final String[] absentNumbers = new String[ASKED];

	private final String[] presentTexts = new String[ASKED];

	private final String[] absentTexts = new String[ASKED];

	/**
	 * Fill the filters.
	 */
	@Setup
	public void setUp() {
		this.instance = MirrorInstance
			.start(this.redis.port(), this.keys, true, "false-positive-probability=" + this.probability)
			.awaitAnswers();
		this.mirror = this.instance.filter();
		this.guavaNumbers = BloomFilter.create(Funnels.longFunnel(), this.keys, this.probability);
		this.guavaTexts = BloomFilter.create(Funnels.unencodedCharsFunnel(), this.keys, this.probability);
		for (long i = 0; i < this.keys; i++) {
			this.guavaNumbers.put(i);
			this.guavaTexts.put(String.valueOf(i));
		}
		for (int i = 0; i < ASKED; i++) {
			this.present[i] = i * 1_000_003L % this.keys;
			this.absent[i] = this.present[i] + this.keys;
			this.presentNumbers[i] = String.valueOf(this.present[i]);
			this.absentNumbers[i] = String.valueOf(this.absent[i]);
			this.presentTexts[i] = "%024d".formatted(this.present[i]);
			this.absentTexts[i] = "%024d".formatted(this.absent[i]);
			this.guavaTexts.put(this.presentTexts[i]);
		}
		for (String text : this.presentTexts) {
			this.instance.guard().add("products", text);
		}
	}

	/**
	 * End the instance and its Redis.
	 */
	@TearDown
	public void tearDown() {
		this.instance.close();
		this.redis.close();
	}

	/**
	 * Ask the mirror for numbers that exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int mirrorNumberPresent() {
		return askMirror(this.presentNumbers);
	}

	/**
	 * Ask the mirror for numbers that do not exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int mirrorNumberAbsent() {
		return askMirror(this.absentNumbers);
	}

	/**
	 * Ask the mirror for texts that exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int mirrorTextPresent() {
		return askMirror(this.presentTexts);
	}

	/**
	 * Ask the mirror for texts that do not exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int mirrorTextAbsent() {
		return askMirror(this.absentTexts);
	}

	/**
	 * Ask Guava's filter for numbers that exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int guavaNumberPresent() {
		return askGuava(this.present);
	}

	/**
	 * Ask Guava's filter for numbers that do not exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int guavaNumberAbsent() {
		return askGuava(this.absent);
	}

	/**
	 * Ask Guava's filter for texts that exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int guavaTextPresent() {
		return askGuava(this.presentTexts);
	}

	/**
	 * Ask Guava's filter for texts that do not exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int guavaTextAbsent() {
		return askGuava(this.absentTexts);
	}

	private int askMirror(String[] forms) {
		int found = 0;
		for (String form : forms) {
			Membership answer = this.mirror.lookupInMemory(this.mirror.snapshot(), form);
			if (answer == Membership.UNKNOWN) {
				throw new IllegalStateException("The mirror does not answer");
			}
			found += (answer == Membership.MAYBE) ? 1 : 0;
		}
		return found;
	}

	private int askGuava(Long[] numbers) {
		int found = 0;
		for (Long number : numbers) {
			found += this.guavaNumbers.mightContain(number) ? 1 : 0;
		}
		return found;
	}

	private int askGuava(String[] texts) {
		int found = 0;
		for (String text : texts) {
			found += this.guavaTexts.mightContain(text) ? 1 : 0;
		}
		return found;
	}

}
