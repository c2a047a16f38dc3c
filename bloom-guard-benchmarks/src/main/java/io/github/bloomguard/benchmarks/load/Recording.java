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

import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * The record of all callers together.
 *
 * @param latencies the time of each call in nanoseconds, as the caller saw it: the next
 * call begins when the one before has ended
 * @param nanos how long it all took
 * @param allocated how many bytes the callers' own threads have allocated
 * @param failures how many calls have thrown an exception
 * @param wrong how many calls did not return what is true: a row for a key that exists,
 * nothing for one that doesn't
 * @param keys how many keys the calls were for, if that is of interest, otherwise 0
 */
public record Recording(Histogram latencies, long nanos, long allocated, long failures, long wrong, int keys) {

	static Recording of(List<Recorder> recorders, long nanos, int keys) {
		Histogram latencies = Recorder.histogram();
		recorders.forEach((recorder) -> latencies.add(recorder.latencies()));
		return new Recording(latencies, nanos, recorders.stream().mapToLong(Recorder::allocated).sum(),
				recorders.stream().mapToLong(Recorder::failures).sum(),
				recorders.stream().mapToLong(Recorder::wrong).sum(), keys);
	}

	/**
	 * Return the number of calls.
	 * @return the number
	 */
	public long operations() {
		return this.latencies.getTotalCount();
	}

	Recording and(Recording other) {
		Histogram both = this.latencies.copy();
		both.add(other.latencies);
		return new Recording(both, this.nanos + other.nanos, this.allocated + other.allocated,
				this.failures + other.failures, this.wrong + other.wrong, this.keys + other.keys);
	}

}
