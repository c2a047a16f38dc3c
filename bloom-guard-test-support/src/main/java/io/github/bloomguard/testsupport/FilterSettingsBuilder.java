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

package io.github.bloomguard.testsupport;

import java.time.Duration;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.AddFailure;
import io.github.bloomguard.filter.FilterSettings.Adding;
import io.github.bloomguard.filter.FilterSettings.Building;
import io.github.bloomguard.filter.FilterSettings.OnStartup;
import io.github.bloomguard.filter.FilterSettings.Verification;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.filter.FilterSpecification;

/**
 * Builds settings for tests: of a small filter that waits for nothing and keeps what is
 * added for an hour, unless they say otherwise.
 */
public final class FilterSettingsBuilder {

	private String name = "products";

	private Duration addTimeout = Duration.ZERO;

	private Duration longest = Duration.ZERO;

	private Duration longestTransaction = Duration.ZERO;

	private Duration journalRetention = Duration.ofHours(1);

	private long journalMemory = 1 << 28;

	private Duration addedRetention = Duration.ofHours(1);

	private int replicas;

	private int maxConcurrentLoads;

	private long mirrorMemory;

	private double maxFalsePositiveFactor;

	private AddFailure addFailure = AddFailure.FAIL;

	private FilterMode mode = FilterMode.ENFORCE;

	private long expectedInsertions = 1000;

	private double falsePositiveProbability = 0.01;

	private Duration settle = Duration.ZERO;

	private Verification verification = new Verification(Mode.OFF, 0, 0, Duration.ZERO);

	public FilterSettingsBuilder name(String name) {
		this.name = name;
		return this;
	}

	public FilterSettingsBuilder addTimeout(Duration addTimeout) {
		this.addTimeout = addTimeout;
		return this;
	}

	public FilterSettingsBuilder longestAdd(Duration longest) {
		this.longest = longest;
		return this;
	}

	public FilterSettingsBuilder longestTransaction(Duration longestTransaction) {
		this.longestTransaction = longestTransaction;
		return this;
	}

	public FilterSettingsBuilder journalRetention(Duration journalRetention) {
		this.journalRetention = journalRetention;
		return this;
	}

	public FilterSettingsBuilder journalMemory(long journalMemory) {
		this.journalMemory = journalMemory;
		return this;
	}

	public FilterSettingsBuilder addedRetention(Duration addedRetention) {
		this.addedRetention = addedRetention;
		return this;
	}

	public FilterSettingsBuilder addReplicas(int replicas) {
		this.replicas = replicas;
		return this;
	}

	public FilterSettingsBuilder mirrorMemory(long mirrorMemory) {
		this.mirrorMemory = mirrorMemory;
		return this;
	}

	public FilterSettingsBuilder maxFalsePositiveFactor(double maxFalsePositiveFactor) {
		this.maxFalsePositiveFactor = maxFalsePositiveFactor;
		return this;
	}

	public FilterSettingsBuilder addFailure(AddFailure addFailure) {
		this.addFailure = addFailure;
		return this;
	}

	public FilterSettingsBuilder mode(FilterMode mode) {
		this.mode = mode;
		return this;
	}

	public FilterSettingsBuilder verification(Mode mode, double rate) {
		this.verification = new Verification(mode, rate, this.verification.floodMemory(),
				this.verification.requiredCalls(), this.verification.grace());
		return this;
	}

	/**
	 * Set how many bytes tell which keys come again in a flood.
	 */
	public FilterSettingsBuilder floodMemory(long floodMemory) {
		this.verification = new Verification(this.verification.mode(), this.verification.rate(), floodMemory,
				this.verification.requiredCalls(), this.verification.grace());
		return this;
	}

	public FilterSettingsBuilder requiredCalls(int requiredCalls) {
		this.verification = new Verification(this.verification.mode(), this.verification.rate(),
				this.verification.floodMemory(), requiredCalls, this.verification.grace());
		return this;
	}

	/**
	 * Set how long a key that was found may come late.
	 */
	public FilterSettingsBuilder grace(Duration grace) {
		this.verification = new Verification(this.verification.mode(), this.verification.rate(),
				this.verification.floodMemory(), this.verification.requiredCalls(), grace);
		return this;
	}

	public FilterSettingsBuilder settle(Duration settle) {
		this.settle = settle;
		return this;
	}

	public FilterSettingsBuilder expectedInsertions(long expectedInsertions) {
		this.expectedInsertions = expectedInsertions;
		return this;
	}

	public FilterSettingsBuilder falsePositiveProbability(double falsePositiveProbability) {
		this.falsePositiveProbability = falsePositiveProbability;
		return this;
	}

	public FilterSettingsBuilder maxConcurrentLoads(int maxConcurrentLoads) {
		this.maxConcurrentLoads = maxConcurrentLoads;
		return this;
	}

	public FilterSettings build() {
		return new FilterSettings("redis",
				new FilterSpecification(this.name, this.expectedInsertions, this.falsePositiveProbability), this.mode,
				Duration.ofMinutes(1), this.maxConcurrentLoads, this.mirrorMemory,
				new Adding(this.addTimeout, this.longest, this.longestTransaction, this.journalRetention,
						this.journalMemory, this.addedRetention, this.replicas, this.addFailure),
				new Building(OnStartup.NEVER, false, 1 << 20, Duration.ZERO, this.settle, null, null,
						this.maxFalsePositiveFactor, 0),
				this.verification);
	}

}
