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
import org.openjdk.jmh.annotations.Warmup;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;

/**
 * Lookups in a filter in memory beside those in Guava's filter of the same size, with the
 * same texts: a salt of 16 characters and a number; and in one of Guava's with the number
 * alone, which has neither. Run it with {@code -prof gc}, and compare what was measured
 * in one run. Keys are asked for in batches that are sampled, because a median does not
 * mind what else the machine does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
@SuppressWarnings("NullAway.Init") // set up before each run
public class MemoryLookupBenchmark {

	private static final int KEYS = 1_000_000;

	private static final int ASKED = 1 << 10;

	private static final String SALT = "0123456789abcdef";

	/**
	 * The share of absent keys that pass.
	 */
	@Param("0.001")
	public double probability;

	private StoredFilter memory;

	private BloomFilter<CharSequence> guava;

	private BloomFilter<Long> guavaNumbers;

	private final String[] present = new String[ASKED];

	private final String[] absent = new String[ASKED];

	private final Long[] presentNumbers = new Long[ASKED];

	private final Long[] absentNumbers = new Long[ASKED];

	/**
	 * Fill the filters.
	 */
	@Setup
	public void setUp() {
		this.memory = new MemoryBackend().filters()
			.create(new GenerationId("products", "a"), new FilterSpecification("products", KEYS, this.probability))
			.join();
		this.guava = BloomFilter.create(Funnels.unencodedCharsFunnel(), KEYS, this.probability);
		this.guavaNumbers = BloomFilter.create(Funnels.longFunnel(), KEYS, this.probability);
		List<String> elements = new ArrayList<>();
		for (int i = 0; i < KEYS; i++) {
			elements.add(SALT + i);
			this.guavaNumbers.put((long) i);
		}
		this.memory.add(elements).join();
		this.memory.seal().join();
		elements.forEach(this.guava::put);
		for (int i = 0; i < ASKED; i++) {
			long number = i * 7919L % KEYS;
			this.presentNumbers[i] = number;
			this.absentNumbers[i] = KEYS + number;
			this.present[i] = SALT + this.presentNumbers[i];
			this.absent[i] = SALT + this.absentNumbers[i];
		}
	}

	/**
	 * Ask the filter in memory for keys that exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int memoryPresent() {
		return askMemory(this.present);
	}

	/**
	 * Ask the filter in memory for keys that do not exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int memoryAbsent() {
		return askMemory(this.absent);
	}

	/**
	 * Ask Guava's filter for keys that exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int guavaPresent() {
		return askGuava(this.present);
	}

	/**
	 * Ask Guava's filter for keys that do not exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int guavaAbsent() {
		return askGuava(this.absent);
	}

	/**
	 * Ask Guava's filter of numbers for keys that exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int guavaNumbersPresent() {
		return askGuava(this.presentNumbers);
	}

	/**
	 * Ask Guava's filter of numbers for keys that do not exist.
	 * @return how many may
	 */
	@Benchmark
	@OperationsPerInvocation(ASKED)
	public int guavaNumbersAbsent() {
		return askGuava(this.absentNumbers);
	}

	private int askGuava(Long[] numbers) {
		int found = 0;
		for (Long number : numbers) {
			found += this.guavaNumbers.mightContain(number) ? 1 : 0;
		}
		return found;
	}

	private int askMemory(String[] elements) {
		int found = 0;
		for (String element : elements) {
			found += (this.memory.lookup(element).join() == Membership.MAYBE) ? 1 : 0;
		}
		return found;
	}

	private int askGuava(String[] elements) {
		int found = 0;
		for (String element : elements) {
			found += this.guava.mightContain(element) ? 1 : 0;
		}
		return found;
	}

}
