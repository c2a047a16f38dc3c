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

package io.github.bloomguard.endpoint;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.feed.FeedProgress;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.instance.Standing;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import io.github.bloomguard.statistics.FilterStatistics.Source;
import io.github.bloomguard.verifying.FloodWatch;
import io.github.bloomguard.verifying.QuestionRates;
import io.github.bloomguard.warmup.WarmUpProgress;
import org.jspecify.annotations.Nullable;

/**
 * State of one filter, as this instance sees it.
 *
 * @param since when this instance noticed the state
 * @param mode what it does now
 * @param configuredMode what it does unless it is switched at run time
 * @param switched who has given it that mode at run time, and whether everywhere: in all
 * applications; {@code null} if it is the configured one
 * @param owner the application that loads the filter, which this one only asks;
 * {@code null} if it is this one
 * @param readers how many instances of applications that only ask have a mirror
 * @param methods those that ask it
 * @param text which texts are one key, because the database calls them equal;
 * {@code null} until that has been found out
 * @param generation the id of the generation that answers
 * @param estimatedInsertions how many keys it holds, estimated from the bits that are set
 * @param observedFalsePositiveRate false positives among all calls of this instance for
 * keys that do not exist; a key that is asked for again counts again
 * @param fillRatio the share of the bits that are set
 * @param flood the flood of absent keys in this instance, {@code null} if there is none
 * @param falseNegatives how often this instance has found a key that the filter had
 * called absent, since that was last acknowledged
 */
public record FilterReport(FilterState state, Instant since, @Nullable String reason, FilterMode mode,
		FilterMode configuredMode, @Nullable ModeSwitch switched, @Nullable String owner, int readers,
		List<String> methods, String type, @Nullable String text, @Nullable String generation,
		@Nullable Instant generationCreatedAt, long expectedInsertions, double falsePositiveProbability,
		long estimatedInsertions, double estimatedFalsePositiveProbability, double observedFalsePositiveRate,
		long sizeInBytes, double fillRatio, Requests requests, Proof proof, Verification verification,
		FloodWatch.@Nullable Flood flood, long falseNegatives, WarmUpProgress warmUp, @Nullable FeedProgress changes,
		Mirror mirror, Instance instance) {

	/**
	 * State of the copy in the memory of this instance.
	 *
	 * @param answered how many keys were looked up in it
	 * @param position up to where it has the add journal
	 * @param asOf when it was last made sure that the copy of a filter of another
	 * application lacks nothing, by the clock of the server; {@code null} if there is
	 * none
	 */
	public record Mirror(MirrorStatus.State state, long sizeInBytes, long answered, @Nullable String position,
			@Nullable Instant asOf, @Nullable String problem) {

		static Mirror of(ManagedFilter managed) {
			MirrorStatus status = managed.filter().mirrorStatus();
			ControlRecord record = managed.filter().record();
			return new Mirror(status.state(), status.sizeInBytes(), managed.statistics().lookups(Source.MIRROR),
					status.position(), (managed.owner() != null && record != null && status.position() != null)
							? Instant.ofEpochMilli(record.now()) : null,
					status.problem());
		}

	}

	/**
	 * Decisions since the application started. Each key is one of {@code absent},
	 * {@code maybe} and {@code unknown}, which is what the filter said.
	 *
	 * @param letThrough for how many of {@code absent} the call went through all the
	 * same, to find out whether that is true
	 * @param remembered how many of {@code maybe} an empty sentinel answered all the same
	 * @param uncertain how many of {@code maybe} passed because of their type, or of how
	 * they are written: the database may find their rows by another form
	 * @param rejected calls that failed, because too many loaded while the filter could
	 * not tell
	 * @param falsePositive how many keys might exist and were not found
	 * @param falseNegative absent answers of this instance that were found to be wrong;
	 * must be 0
	 */
	public record Requests(long absent, long letThrough, long maybe, long remembered, long uncertain, long unknown,
			long rejected, long falsePositive, long falseNegative) {

		static Requests of(FilterStatistics statistics) {
			long remembered = statistics.count(Outcome.REMEMBERED);
			return new Requests(statistics.count(Outcome.ABSENT), statistics.count(Outcome.LET_THROUGH),
					statistics.count(Outcome.MAYBE) + remembered, remembered, statistics.count(Outcome.UNCERTAIN),
					statistics.count(Outcome.UNKNOWN), statistics.count(Outcome.REJECTED),
					statistics.count(Outcome.FALSE_POSITIVE), statistics.count(Outcome.FALSE_NEGATIVE));
		}

		double observedFalsePositiveRate() {
			long absentInTruth = this.absent + this.falsePositive;
			return (absentInTruth == 0) ? 0 : (double) this.falsePositive / absentInTruth;
		}

	}

	/**
	 * Progress of the proof of a filter. Until it is complete, calls for absent keys go
	 * through.
	 *
	 * @param calls different absent keys that were not found, by all instances
	 * @param found different keys that it let pass and that were found, by all instances
	 * @param settlesAt when it is loaded again, because older instances may insert rows
	 * until then
	 */
	public record Proof(long calls, long required, long found, long requiredFound, @Nullable Instant settlesAt) {

		static Proof of(ManagedFilter managed) {
			Standing standing = managed.filter().standing();
			return new Proof(standing.trust().proof().absent(), standing.required().calls(),
					standing.trust().proof().found(), standing.requiredFound(), standing.settlesAt());
		}

	}

	/**
	 * How what the filter calls absent is verified.
	 *
	 * @param rate how many questions a second are configured
	 * @param effectiveRate how many this instance asks at most, as it is now
	 * @param lookedUp for how many keys that were called absent this instance has found
	 * out whether that is true
	 * @param wrong how many different keys were there all the same, as seen by all
	 * instances
	 * @param lastWrongAt when that was seen last; {@code null} if it never was since it
	 * was acknowledged
	 * @param beforeUntil until when absent answers are looked up before they are given,
	 * because of that, or because a call has found a row that no source has
	 * @param unseenWriters in which way rows may come whose keys no writer shows, so that
	 * absent answers are looked up before they are given
	 */
	public record Verification(Mode mode, double rate, QuestionRates effectiveRate, long lookedUp, long wrong,
			@Nullable Instant lastWrongAt, @Nullable Instant beforeUntil, @Nullable String unseenWriters) {

		static Verification of(ManagedFilter managed) {
			FilterSettings.Verification settings = managed.settings().verification();
			Standing standing = managed.filter().standing();
			Doubt doubt = standing.trust().doubt();
			return new Verification(settings.mode(), settings.rate(), managed.rates().get(),
					managed.statistics().count(Outcome.LOOKED_UP), doubt.wrong(),
					(doubt.at() > 0) ? Instant.ofEpochMilli(doubt.at()) : null, standing.beforeUntil(),
					standing.required().unseenWriters());
		}

	}

	/**
	 * The instance that reports, with another id after each start. Its statistics are its
	 * own, so only reports of the same one can be compared.
	 */
	public record Instance(String id, Instant startedAt, Instant time) {

		private static final SecureRandom random = new SecureRandom();

		static Instance started() {
			Instant now = Instant.now();
			return new Instance(HexFormat.of().toHexDigits(random.nextInt()), now, now);
		}

		Instance now() {
			return new Instance(this.id, this.startedAt, Instant.now());
		}

	}

}
