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

import java.util.UUID;
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
 * The guard's own time and allocation for a call, with a filter in memory, beside a hit
 * of Spring's {@code @Cacheable} in a map. Run it with {@code -prof gc}. Calls are
 * sampled, because a median does not mind what else the machine does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public class GuardedCallBenchmark {

	private static final long KEY = 1234567;

	private static final String TEXT = "article-1234567";

	private static final String ABSENT_TEXT = "absent-1234567";

	private static final UUID UUID_KEY = new UUID(KEY, KEY);

	private static final UUID ABSENT_UUID = new UUID(-KEY, KEY);

	/**
	 * What answers the calls, as for {@link CatalogueApplication#start}.
	 */
	@Param({ "stub", "memory" })
	public String answers = "stub";

	private @Nullable CatalogueApplication application;

	private Catalogue catalogue = new Catalogue();

	/**
	 * Start the application.
	 */
	@Setup
	public void setUp() {
		this.application = CatalogueApplication.start(this.answers);
		this.catalogue = this.application.catalogue();
		if (this.catalogue.guarded(-KEY) != null || this.catalogue.guarded(KEY) == null) {
			throw new IllegalStateException("The guard does not answer");
		}
	}

	/**
	 * Stop what was started, if it has measured what it was to measure.
	 */
	@TearDown
	public void tearDown() {
		if (this.application != null) {
			boolean absent = this.application.isAbsent(-KEY);
			this.application.close();
			if (!absent) {
				throw new IllegalStateException("The filter no longer calls the key absent");
			}
		}
	}

	/**
	 * A hit of {@code @Cacheable}.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object cacheHit() {
		return this.catalogue.cached(KEY);
	}

	/**
	 * A hit of {@code @Cacheable(key = "#id")}.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object cacheHitByExpression() {
		return this.catalogue.cachedByExpression(KEY);
	}

	/**
	 * A call that is answered because its key is absent.
	 * @return nothing
	 */
	@Benchmark
	public @Nullable Object absent() {
		return this.catalogue.guarded(-KEY);
	}

	/**
	 * The same with a key expression.
	 * @return nothing
	 */
	@Benchmark
	public @Nullable Object absentByExpression() {
		return this.catalogue.guardedByExpression(-KEY);
	}

	/**
	 * A call that goes through to the method.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object passes() {
		return this.catalogue.guarded(KEY);
	}

	/**
	 * A call that is answered because its text is absent.
	 * @return nothing
	 */
	@Benchmark
	public @Nullable Object absentText() {
		return this.catalogue.guardedByText(ABSENT_TEXT);
	}

	/**
	 * A call for a text that goes through to the method.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object textPasses() {
		return this.catalogue.guardedByText(TEXT);
	}

	/**
	 * A call that is answered because its UUID is absent.
	 * @return nothing
	 */
	@Benchmark
	public @Nullable Object absentUuid() {
		return this.catalogue.guardedByUuid(ABSENT_UUID);
	}

	/**
	 * A call for a UUID that goes through to the method.
	 * @return the value
	 */
	@Benchmark
	public @Nullable Object uuidPasses() {
		return this.catalogue.guardedByUuid(UUID_KEY);
	}

}
