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

package io.github.bloomguard.filter;

import java.time.Duration;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * The configuration of one filter, for all that take part in it.
 *
 * @param emptyTtl zero if nothing is remembered
 * @param maxConcurrentLoads 0 for any number
 * @param mirrorMemory in bytes, 0 for no mirror
 */
public record FilterSettings(String type, FilterSpecification specification, FilterMode mode, Duration emptyTtl,
		int maxConcurrentLoads, long mirrorMemory, Adding adding, Building building, Verification verification) {

	private static final long MIN_MEMORY = 1 << 20;

	private static final int MAX_SHARDS = 4096;

	private static final int MAX_RATE = 100_000;

	/**
	 * @throws InvalidGuardException if a filter can't be configured like this
	 */
	public FilterSettings {
		FilterChecks checks = new FilterChecks(specification.filter());
		long least = specification.bits() / Byte.SIZE / MAX_SHARDS;
		checks.that(specification.shardSize() >= least, "shard-size", specification.shardSize() + "B",
				"Set it to at least " + (least / 1024 + 1) + "KB, so that the filter is not divided into more than "
						+ MAX_SHARDS + " shards");
		checks.that(!emptyTtl.isNegative(), "empty-ttl", emptyTtl,
				"Set it to a duration such as 1m, or to 0s to remember nothing");
		checks.that(maxConcurrentLoads >= 0, "fallback.max-concurrent-loads", maxConcurrentLoads,
				"Set it to the number of calls that the database can take at the same time, or to 0 for no limit");
		checks.that(mirrorMemory >= 0, "mirror.max-memory", mirrorMemory + "B",
				"Set it to the memory that the copy may take, such as 96MB, or set mirror.enabled to false");
		adding.check(checks);
		building.check(checks);
		verification.check(checks);
	}

	public String name() {
		return this.specification.filter();
	}

	/**
	 * How keys are added.
	 *
	 * @param timeout the longest wait for one answer
	 * @param longest the longest time that adding takes, with what else it waits for
	 * @param journalRetention how long added keys are kept in the journal while nothing
	 * is built, at least as long as adding one and committing its row takes
	 * @param journalMemory in bytes; a journal that takes more is begun anew
	 * @param addedRetention how long a key counts as added lately, longer than any load,
	 * and than adding one and committing its row takes
	 */
	public record Adding(Duration timeout, Duration longest, Duration longestTransaction, Duration journalRetention,
			long journalMemory, Duration addedRetention, int replicas, AddFailure failure) {

		/**
		 * How long a load, or a question to the source after it, may take from what it
		 * reads to the sentinel that remembers it.
		 */
		public static final Duration LONGEST_LOAD = Duration.ofSeconds(30);

		/**
		 * How long before a load a transaction may have begun that Spring does not know.
		 */
		private static final Duration UNKNOWN_TRANSACTION = Duration.ofSeconds(10);

		/**
		 * Adding waits for mirrors, for leases to end and for many answers of the server.
		 */
		private static final Duration LONGEST_ADD = Duration.ofSeconds(10);

		/**
		 * Return how keys are added, with what follows from how long things take.
		 */
		public static Adding of(Duration timeout, Duration longestTransaction, Duration journalRetention,
				long journalMemory, int replicas, AddFailure failure) {
			Duration longest = longest(timeout, LONGEST_ADD);
			Duration replayed = longestTransaction.plus(longest);
			return new Adding(timeout, longest, longestTransaction, longest(journalRetention, replayed), journalMemory,
					UNKNOWN_TRANSACTION.plus(LONGEST_LOAD).plus(replayed), replicas, failure);
		}

		private static Duration longest(Duration one, Duration other) {
			return (one.compareTo(other) > 0) ? one : other;
		}

		private void check(FilterChecks checks) {
			checks.that(!this.longestTransaction.isNegative(), "rebuild.longest-transaction", this.longestTransaction,
					"Set it to the longest time between adding a key and committing its row, such as 5s");
			checks.that(this.journalMemory >= MIN_MEMORY, "rebuild.journal-max-memory", this.journalMemory + "B",
					"Set it to the memory that keys added during a rebuild may take, at least 1MB, such as 256MB");
			checks.that(this.replicas >= 0, "add-replicas", this.replicas,
					"Set it to the number of Redis replicas that must have an added key, or to 0 to wait for none");
		}

		/**
		 * Return how far back from its start a build has to read the journal.
		 */
		public Duration replayed() {
			return this.longestTransaction.plus(this.longest);
		}

	}

	/**
	 * When generations are built. Whether one is to be replaced is derived from itself,
	 * so the instances of an application agree without talking to each other.
	 *
	 * @param maxMemory in bytes
	 * @param recheckEmpty zero if it is believed at once that there is not a single key
	 * @param settle how long older instances may insert rows
	 * @param maxFalsePositiveFactor 0 for never, unless a generation would soon be full
	 * @param maxRemovedRatio 0 for never
	 */
	public record Building(OnStartup onStartup, boolean blocking, long maxMemory, Duration recheckEmpty,
			Duration settle, @Nullable String cron, @Nullable Duration interval, double maxFalsePositiveFactor,
			double maxRemovedRatio) {

		private void check(FilterChecks checks) {
			checks.that(this.maxMemory >= MIN_MEMORY, "warm-up.max-memory", this.maxMemory + "B",
					"Set it to the memory that a warm-up may take, at least 1MB, such as 64MB");
			checks.that(!this.recheckEmpty.isNegative(), "warm-up.recheck-empty", this.recheckEmpty,
					"Set it to the time after which sources without a key are read again, such as 5s, or to 0s to"
							+ " believe them at once");
			checks.that(!this.settle.isNegative(), "rebuild.settle", this.settle,
					"Set it to the time that a deployment takes until no older instance inserts rows, such as"
							+ " 10m, or to 0s if all that insert rows have the guard");
			checks.that(this.cron == null || CronExpression.isValidExpression(this.cron), "rebuild.cron",
					"'" + this.cron + "'",
					"Set it to a cron expression of six fields, such as '0 0 3 * * *' for each night at three");
			checks.that(this.interval == null || this.interval.toMillis() > 0, "rebuild.interval", this.interval,
					"Set it to the age at which the filter is rebuilt, such as 1d, or remove it");
			checks.that(this.maxFalsePositiveFactor >= 1 || this.maxFalsePositiveFactor == 0,
					"rebuild.max-false-positive-factor", this.maxFalsePositiveFactor,
					"Set it to a multiple of the configured probability that is not reached before the filter is"
							+ " full, such as 2, or to 0 to never rebuild the filter for that");
			checks.that(this.maxRemovedRatio >= 0 && this.maxRemovedRatio <= 1, "rebuild.max-removed-ratio",
					this.maxRemovedRatio,
					"Set it to the share of the keys after whose removal the filter is rebuilt, such as 0.1 for a"
							+ " tenth, or to 0 to never rebuild the filter for that");
		}

	}

	/**
	 * How it is found out whether a filter is right.
	 *
	 * @param rate how many questions a second an instance asks about absent keys once the
	 * filter is believed
	 * @param floodMemory in bytes, for telling keys that come again in a flood
	 * @param requiredCalls 0 if it is believed at once
	 * @param grace for how long a row may be there before its key is
	 */
	public record Verification(Mode mode, double rate, long floodMemory, int requiredCalls, Duration grace) {

		private static final long FLOOD_MEMORY = 4 << 20;

		private static final long MAX_FLOOD_MEMORY = 1 << 30;

		/**
		 * With the default of the memory that a flood takes.
		 */
		public Verification(Mode mode, double rate, int requiredCalls, Duration grace) {
			this(mode, rate, FLOOD_MEMORY, requiredCalls, grace);
		}

		/**
		 * When what a filter calls absent is looked up.
		 */
		public enum Mode {

			/**
			 * After the caller was answered.
			 */
			BEHIND,

			/**
			 * Before the caller is answered.
			 */
			BEFORE,

			OFF

		}

		private void check(FilterChecks checks) {
			checks.that(this.requiredCalls >= 0, "verification.required-calls", this.requiredCalls,
					"Set it to the number of keys that must have been looked for and not found before the filter is"
							+ " believed, or to 0 to believe it at once");
			checks.that(this.floodMemory >= 0 && this.floodMemory <= MAX_FLOOD_MEMORY, "verification.flood-memory",
					this.floodMemory + "B",
					"Set it to the memory that may be taken during a flood, such as 4MB, at most 1GB, or to 0 for none");
			checks.that(this.rate >= 0 && this.rate <= MAX_RATE, "verification.rate", this.rate,
					"Set it to the number of absent answers that each instance looks up in a second, such as 10, at"
							+ " most " + MAX_RATE + ", or to 0 for none");
		}

	}

	public enum AddFailure {

		FAIL,

		/**
		 * The call goes on, and the filter is not trusted until it has been rebuilt; only
		 * this instance knows while Redis can't be reached.
		 */
		MISTRUST

	}

	public enum OnStartup {

		/**
		 * If there is no intact generation of the configured size.
		 */
		IF_MISSING,

		/**
		 * Each time; an intact generation answers until the new one is complete.
		 */
		ALWAYS,

		/**
		 * Only when it is asked for, or when the filter has been lost.
		 */
		NEVER

	}

}
