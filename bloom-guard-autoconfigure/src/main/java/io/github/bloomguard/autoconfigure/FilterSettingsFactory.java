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

package io.github.bloomguard.autoconfigure;

import java.time.Duration;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.guard.FilterSettings;
import io.github.bloomguard.guard.FilterSettings.Adding;
import io.github.bloomguard.guard.FilterSettings.Building;
import io.github.bloomguard.guard.FilterSettings.Verification;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.unit.DataSize;

/**
 * Makes {@link FilterSettings} of the properties of one filter, or says which of them
 * can't be meant.
 *
 * @param name the name of the filter
 * @param filter its properties
 */
record FilterSettingsFactory(String name, BloomGuardProperties.Filter filter) {

	private static final DataSize MIN_MEMORY = DataSize.ofMegabytes(1);

	private static final int MAX_SHARDS = 4096;

	/**
	 * Adding keys waits for more than answers of Redis: for mirrors whose lease has to be
	 * over, for a record that has to settle, and for as many answers as there are keys.
	 */
	private static final Duration LONGEST_ADD = Duration.ofSeconds(10);

	/**
	 * Make the settings.
	 * @param grace for how long a row may be there before its key is
	 * @throws InvalidGuardException if a property can't be meant
	 */
	FilterSettings create(Duration addTimeout, Duration grace) {
		checkUse();
		checkWarmUp();
		checkRebuild();
		return new FilterSettings(specification(), this.filter.mode(), this.filter.emptyTtl(),
				this.filter.fallback().maxConcurrentLoads(),
				new Adding(addTimeout, (addTimeout.compareTo(LONGEST_ADD) > 0) ? addTimeout : LONGEST_ADD,
						this.filter.rebuild().longestTransaction(), this.filter.addFailure(), this.filter.caches()),
				building(), new Verification(this.filter.proofCalls(), grace, this.filter.audit().sampleRate()));
	}

	private FilterSpecification specification() {
		Long expectedInsertions = this.filter.expectedInsertions();
		if (expectedInsertions == null) {
			throw new InvalidGuardException(property("expected-insertions") + " is not set",
					"Set it to the number of keys that the filter will hold, at least 1");
		}
		FilterSpecification specification = new FilterSpecification(this.name, expectedInsertions,
				this.filter.falsePositiveProbability(), this.filter.shardSize().toBytes());
		long least = specification.bits() / Byte.SIZE / MAX_SHARDS;
		if (specification.shardSize() < least) {
			throw invalid("shard-size", this.filter.shardSize(), "Set it to at least " + (least / 1024 + 1)
					+ "KB, so that the filter is not divided into more than " + MAX_SHARDS + " shards");
		}
		return specification;
	}

	private void checkUse() {
		if (this.filter.attribute() != null && this.filter.entity() == null) {
			throw new InvalidGuardException(
					property("attribute") + " is " + this.filter.attribute() + ", but " + property("entity")
							+ " is not set",
					"Set the entity to the class that has the attribute, or remove the attribute");
		}
		if (this.filter.emptyTtl().isNegative()) {
			throw invalid("empty-ttl", this.filter.emptyTtl(),
					"Set it to a duration such as 1m, or to 0s to remember nothing");
		}
		if (this.filter.proofCalls() < 0) {
			throw invalid("proof-calls", this.filter.proofCalls(),
					"Set it to the number of keys that must have been looked for and not found before the filter is"
							+ " believed, or to 0 to believe it at once");
		}
		if (this.filter.addReplicas() < 0) {
			throw invalid("add-replicas", this.filter.addReplicas(),
					"Set it to the number of Redis replicas that must have an added key, or to 0 to wait for none");
		}
		if (this.filter.fallback().maxConcurrentLoads() < 0) {
			throw invalid("fallback.max-concurrent-loads", this.filter.fallback().maxConcurrentLoads(),
					"Set it to the number of calls that the database can take at the same time, or to 0 for no limit");
		}
		double sampleRate = this.filter.audit().sampleRate();
		if (!(sampleRate >= 0 && sampleRate <= 1)) {
			throw invalid("audit.sample-rate", sampleRate,
					"Set it to the share of the definite misses that are audited, such as 0.001 for one in a thousand,"
							+ " or to 0 for none");
		}
	}

	private void checkWarmUp() {
		BloomGuardProperties.WarmUp warmUp = this.filter.warmUp();
		if (warmUp.fetchSize() < 1) {
			throw invalid("warm-up.fetch-size", warmUp.fetchSize(),
					"Set it to the number of rows to fetch at a time, such as 10000; without one, a driver may read"
							+ " all rows into memory");
		}
		if (warmUp.maxMemory().compareTo(MIN_MEMORY) < 0) {
			throw invalid("warm-up.max-memory", warmUp.maxMemory(),
					"Set it to the memory that a warm-up may take, at least 1MB, such as 64MB");
		}
		if (warmUp.recheckEmpty().isNegative()) {
			throw invalid("warm-up.recheck-empty", warmUp.recheckEmpty(),
					"Set it to the time after which sources without a key are read again, such as 5s, or to 0s to"
							+ " believe them at once");
		}
		Integer partitions = warmUp.partitions();
		if (partitions != null && partitions < 1) {
			throw invalid("warm-up.partitions", partitions,
					"Set it to the number of key ranges to read at the same time, or to 1 to read all keys with one"
							+ " query");
		}
		if (partitions != null && partitions > 1 && warmUp.query() == null && this.filter.entity() == null) {
			throw new InvalidGuardException(
					property("warm-up.partitions") + " is " + partitions + ", but " + property("warm-up.query")
							+ " is not set",
					"Remove it, or set the query to one for a range of keys, such as"
							+ " 'select id from product where id between :from and :to'");
		}
	}

	private void checkRebuild() {
		BloomGuardProperties.Rebuild rebuild = this.filter.rebuild();
		if (rebuild.longestTransaction().isNegative()) {
			throw invalid("rebuild.longest-transaction", rebuild.longestTransaction(),
					"Set it to the longest time between adding a key and committing its row, such as 5s");
		}
		if (rebuild.settle().isNegative()) {
			throw invalid("rebuild.settle", rebuild.settle(),
					"Set it to the time that a deployment takes until no instance of before inserts rows, such as 10m,"
							+ " or to 0s if all that insert rows have the guard");
		}
		Duration interval = rebuild.interval();
		if (interval != null && interval.toMillis() <= 0) {
			throw invalid("rebuild.interval", interval,
					"Set it to the age at which the filter is rebuilt, such as 1d, or remove it");
		}
		double factor = rebuild.maxFalsePositiveFactor();
		if (!(factor >= 1 || factor == 0)) {
			throw invalid("rebuild.max-false-positive-factor", factor,
					"Set it to a multiple of the configured probability that is not reached before the filter is full,"
							+ " such as 2, or to 0 to never rebuild the filter for that");
		}
		double ratio = rebuild.maxRemovedRatio();
		if (!(ratio >= 0 && ratio <= 1)) {
			throw invalid("rebuild.max-removed-ratio", ratio,
					"Set it to the share of the keys after whose removal the filter is rebuilt, such as 0.1 for a"
							+ " tenth, or to 0 to never rebuild the filter for that");
		}
	}

	private Building building() {
		BloomGuardProperties.WarmUp warmUp = this.filter.warmUp();
		BloomGuardProperties.Rebuild rebuild = this.filter.rebuild();
		return new Building(warmUp.onStartup(), warmUp.blocking(), cron(rebuild.cron()), rebuild.interval(),
				rebuild.maxFalsePositiveFactor(), rebuild.maxRemovedRatio());
	}

	private @Nullable CronExpression cron(@Nullable String cron) {
		if (cron != null && !CronExpression.isValidExpression(cron)) {
			throw invalid("rebuild.cron", "'" + cron + "'",
					"Set it to a cron expression of six fields, such as '0 0 3 * * *' for each night at three");
		}
		return (cron != null) ? CronExpression.parse(cron) : null;
	}

	private String property(String property) {
		return "bloom-guard.filters." + this.name + "." + property;
	}

	private InvalidGuardException invalid(String property, Duration value, String remedy) {
		return invalid(property, DurationStyle.SIMPLE.print(value), remedy);
	}

	private InvalidGuardException invalid(String property, Object value, String remedy) {
		return new InvalidGuardException(property(property) + " is " + value, remedy);
	}

}
