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

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import io.github.bloomguard.benchmarks.call.Catalogue;
import io.github.bloomguard.benchmarks.call.CatalogueApplication;

/**
 * Measures what the advisor adds to a hit of a cache in a map, and to a load that has not
 * even Redis or a database behind it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ObservedLoadBenchmark {

	/**
	 * Whether loads are observed.
	 */
	@Param({ "false", "true" })
	public boolean advisor;

	private @Nullable CatalogueApplication application;

	private Catalogue catalogue = new Catalogue();

	private long key;

	/**
	 * Start the application.
	 */
	@Setup
	public void setUp() {
		this.application = CatalogueApplication.start("stub", "bloom-guard.advisor.enabled=" + this.advisor);
		this.catalogue = this.application.catalogue();
	}

	/**
	 * Stop what was started.
	 */
	@TearDown
	public void tearDown() {
		if (this.application != null) {
			this.application.close();
		}
	}

	/**
	 * A hit of {@code @Cacheable}.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object hit() {
		return this.catalogue.cached(7);
	}

	/**
	 * A miss, for another key each time.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object load() {
		return this.catalogue.loaded(this.key++);
	}

}
