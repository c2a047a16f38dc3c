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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.filter.FilterSettings.Verification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;
import org.jspecify.annotations.Nullable;

/**
 * How far a filter is believed, and what follows from that. It is computed from what the
 * record says of its {@link Trust} and from what this instance has found since, in
 * {@link #of}, when a record was read and when something was found. A new reason that
 * concerns the whole filter goes there; one that concerns a generation goes to
 * {@link LatestSnapshot}, one that concerns a key to the look-up. The verdict about a
 * call comes of one standing; draws of what is verified, and reports, read the latest.
 *
 * @param state the state of the filter, as long as Redis answers
 * @param asked whether the bits may be read: there is an intact generation that is not
 * refuted. The mode is not looked at
 * @param answering whether a call for an absent key is answered, instead of going through
 * to find out whether that would be right
 * @param verification when it is looked up whether an absent answer is right
 * @param settled whether no older instances insert rows that may be missing
 * @param proven whether calls have shown that the filter is right
 * @param doubted whether a key was found lately that the filter calls absent
 * @param callersOnly whether only callers can tell that there is no row, because they see
 * others than the sources do
 * @param loadDue whether the keys are to be loaded again
 * @param requiredFound how many different keys that it lets pass have to be found before
 * it is believed
 * @param beforeUntil until when absent answers are looked up before they are given,
 * {@code null} if nothing that was found asks for it
 * @param trust what the record says
 * @param required what the filter has to show
 * @param now when the record was read, by the clock of the server
 * @param obstacle why nothing that another application has loaded can be asked,
 * {@code null} if nothing is in the way
 */
public record Standing(FilterState state, boolean asked, boolean answering, Verification.Mode verification,
		boolean settled, boolean proven, boolean doubted, boolean callersOnly, boolean loadDue, long requiredFound,
		@Nullable Instant beforeUntil, Trust trust, Requirements required, long now, @Nullable String obstacle) {

	private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

	/**
	 * Compute the standing of a filter.
	 * @param active whether there is an intact generation
	 * @param lost whether there was one
	 * @param found what this instance has found and not reported yet
	 * @param running for how long the instance had been running with the origin when the
	 * record was read
	 */
	static Standing of(@Nullable ControlRecord record, boolean active, boolean lost, FilterMode mode,
			Requirements required, CallEvidence found, Duration running) {
		return of((record != null) ? record.trust() : Trust.NONE,
				(record != null) ? record.now() : System.currentTimeMillis(), active, lost, mode, required, found,
				running);
	}

	static Standing of(Trust trust, long now, boolean active, boolean lost, FilterMode mode, Requirements required,
			CallEvidence found, Duration running) {
		Rollout rollout = trust.rollout();
		long requiredFound = required.found(trust.proof());
		boolean settled = rollout.isOver(required.settle());
		boolean proven = required.areMetBy(trust.proof(), requiredFound);
		boolean wrong = found.isWrong();
		boolean callersOnly = found.isCallersOnly() || trust.doubt().isCallersOnly(now);
		boolean doubted = wrong || trust.doubt().isLasting(now);
		FilterState state = stateOf(active, lost, settled, proven, wrong || trust.isWrong(now));
		boolean settleDue = !settled && rollout.isOverIn(required.settle(), now, running);
		return new Standing(inMode(state, mode), active && state != FilterState.REFUTED,
				state == FilterState.READY && mode == FilterMode.ENFORCE, required.verification(doubted || callersOnly),
				settled, proven, doubted, callersOnly || required.callersOnly(),
				active && (settleDue || trust.isReloadDue(now)), requiredFound,
				(doubted || callersOnly) ? trust.doubt().end(wrong || found.isCallersOnly() ? now : 0) : null, trust,
				required, now, null);
	}

	/**
	 * Return the standing of a filter that a reader can't ask.
	 * @param obstacle why not, {@code null} if the record was not read yet
	 */
	static Standing ofReader(boolean lost, FilterMode mode, Verification.Mode verification, @Nullable String obstacle) {
		FilterState state = lost ? FilterState.LOST : FilterState.LOADING;
		return new Standing(inMode(state, mode), false, false, verification, false, false, false, false, false, 0, null,
				Trust.NONE, new Requirements(0, Duration.ZERO, verification, false, null, () -> Long.MAX_VALUE),
				System.currentTimeMillis(), obstacle);
	}

	private static FilterState stateOf(boolean active, boolean lost, boolean settled, boolean proven, boolean wrong) {
		if (!active) {
			return lost ? FilterState.LOST : FilterState.LOADING;
		}
		if (!settled) {
			return FilterState.SETTLING;
		}
		if (!proven) {
			return wrong ? FilterState.REFUTED : FilterState.PROVING;
		}
		return FilterState.READY;
	}

	private static FilterState inMode(FilterState state, FilterMode mode) {
		return switch (mode) {
			case ENFORCE -> state;
			case SHADOW -> switch (state) {
				case LOADING, SETTLING, PROVING, READY -> FilterState.SHADOW;
				case LOST, REFUTED, UNREACHABLE, SHADOW, OFF -> state;
			};
			case OFF -> FilterState.OFF;
		};
	}

	/**
	 * Return when the rollout counts as over, {@code null} if nothing is provisional.
	 */
	public @Nullable Instant settlesAt() {
		return (this.asked && !this.settled) ? this.trust.rollout().end(this.required.settle()) : null;
	}

	/**
	 * Return why the filter is not believed although it is loaded, and what it waits for,
	 * {@code null} if it does not.
	 */
	@Nullable String reason() {
		if (this.obstacle != null) {
			return this.obstacle;
		}
		return switch (this.state) {
			case SETTLING -> remainingRollout();
			case PROVING -> remainingProof();
			case REFUTED ->
				"a key was found that it called absent before it had proven itself, so calls go through until"
						+ " it is loaded again, which happens by itself, or acknowledged";
			case SHADOW -> (!this.asked || (this.settled && this.proven)) ? null
					: "it answers nothing in this mode; with enforce: "
							+ (this.settled ? remainingProof() : remainingRollout());
			case LOADING, READY, LOST, UNREACHABLE, OFF -> null;
		};
	}

	private String remainingRollout() {
		Rollout rollout = this.trust.rollout();
		Duration settle = this.required.settle();
		Instant end = rollout.end(settle);
		if (rollout.isRivalledInAnotherForm(settle)) {
			return String
				.format("it is loaded, and is loaded again after %s, because an instance with another version of"
						+ " bloom-guard was seen until %s, which keeps keys in another form: rows that it inserts may be"
						+ " missing here. It ends when all instances have the same version", end,
						Instant.ofEpochMilli(rollout.foreign()));
		}
		if (rollout.isRivalled(settle)) {
			return String
				.format("it is loaded, and is loaded again after %s (rebuild.settle), because another version of this"
						+ " application, with another query, entity, source or type of this filter, was seen until"
						+ " %s: rows that it inserts may be missing here. If both are to run beside each other,"
						+ " give their filters different names, or set rebuild.settle to 0s if each adds the keys"
						+ " of both", end, Instant.ofEpochMilli(rollout.rival()));
		}
		return String.format(
				"it is loaded, and settles until %s (in %s), because older instances may still insert rows"
						+ " (rebuild.settle). Then it is loaded again, and %s. Until then calls go through",
				CLOCK.format(end.atZone(ZoneId.systemDefault())), inWords(end.toEpochMilli() - this.now),
				this.proven ? "answers" : String.format(
						"proves itself (PROVING): it answers when calls have found nothing for %d different keys"
								+ " that it calls absent, and have found %d that it lets pass, or %1$d of these",
						this.required.calls(), this.requiredFound));
	}

	private String remainingProof() {
		int calls = this.required.calls();
		long wrong = this.trust.doubt().wrong();
		return String.format(
				"it is loaded, and proves itself: %d of %d different keys that it calls absent were looked"
						+ " for and not found, %d of %d that it lets pass were found (%d are enough by themselves)%s",
				Math.min(this.trust.proof().absent(), calls), calls, this.trust.proof().found(), this.requiredFound,
				calls, !this.doubted ? "" : (", since it began anew, because "
						+ ((wrong == 1) ? "1 key was" : wrong + " keys were") + " found that it had called absent"));
	}

	private static String inWords(long millis) {
		long seconds = Math.max((millis + 999) / 1000, 0);
		return (seconds >= 120) ? (seconds + 30) / 60 + " min" : seconds + " s";
	}

}
