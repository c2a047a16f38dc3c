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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.bloomguard.AddedKeysListener;
import io.github.bloomguard.adding.AddedKeysListeners;
import io.github.bloomguard.adding.FilterWrites;
import io.github.bloomguard.adding.KeyRemover;
import io.github.bloomguard.adding.KeyWriter;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.deciding.CallbackExecutor;
import io.github.bloomguard.deciding.FilterLookup;
import io.github.bloomguard.deciding.KeyDecisions;
import io.github.bloomguard.deciding.LoadLimit;
import io.github.bloomguard.deciding.ScopedSentinels;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.sentinel.EmptySentinels;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.verifying.Findings;
import io.github.bloomguard.verifying.FloodWatch;
import io.github.bloomguard.verifying.QuestionRates;
import io.github.bloomguard.verifying.Verification;

import org.springframework.core.task.TaskDecorator;

/**
 * Puts the guard around the filters of one application.
 */
public final class FilterGuardFactory {

	private final KeyFormat format;

	private final UnaryOperator<Duration> jitter;

	private final Supplier<? extends List<AddedKeysListener>> listeners;

	private final CallbackExecutor handOver;

	/**
	 * @param listeners called when the first key is added
	 * @param callbacks run what follows an asynchronous answer; may be busy
	 * @param executor has a thread at any time, which may be blocked
	 */
	public FilterGuardFactory(KeyFormat format, UnaryOperator<Duration> jitter,
			Supplier<? extends List<AddedKeysListener>> listeners, Executor callbacks, Executor executor,
			TaskDecorator decorator) {
		this.format = format;
		this.jitter = jitter;
		this.listeners = listeners;
		this.handOver = new CallbackExecutor(callbacks, executor, decorator);
	}

	/**
	 * @param barrier passed before a call is answered with nothing
	 * @param confirmation passed before such an answer is found to be wrong
	 */
	public Guard create(FilterSettings settings, GenerationalFilter filter, CircuitBreaker breaker,
			EmptySentinels sentinels, FilterStatistics statistics, FloodWatch flood, FilterSources sources,
			AbsenceBarrier barrier, AbsenceBarrier confirmation) {
		SourceAnswers answers = new SourceAnswers(settings.name(), this.format, sources,
				() -> filter.standing().callersOnly());
		FilterLookup lookup = new FilterLookup(this.format, filter, breaker, statistics, answers);
		AddedKeysListeners listeners = new AddedKeysListeners(settings.name(), this.format, this.listeners);
		KeyWriter writer = new KeyWriter(settings, this.format, filter, listeners, statistics);
		KeyRemover remover = new KeyRemover(settings.name(), settings.adding(), this.format, filter, answers,
				this.handOver.always());
		Findings findings = new Findings(settings, filter, lookup, answers, confirmation, writer, statistics,
				this.handOver.always());
		Verification verification = new Verification(settings, filter, lookup, answers, confirmation, listeners,
				findings, flood, this.handOver);
		KeyDecisions decisions = new KeyDecisions(settings, filter, lookup, barrier, this.handOver, statistics);
		FilterWrites writes = new FilterWrites(writer, remover, listeners);
		FilterGuard guard = new FilterGuard(
				new FilterGuard.Parts(settings, filter, lookup, decisions, verification, findings, listeners, writes,
						new LoadLimit(settings, filter, statistics), statistics),
				new ScopedSentinels(sentinels, breaker, this.jitter, "", settings.emptyTtl()));
		return new Guard(guard, writes, verification::rates);
	}

	/**
	 * The guard of one filter.
	 *
	 * @param asked as calls that read see it
	 * @param written as what writes rows sees it
	 * @param rates how much it asks the source
	 */
	public record Guard(GuardedFilter asked, WrittenFilter written, Supplier<QuestionRates> rates) {

	}

}
