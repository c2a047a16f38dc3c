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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.generation.ActiveGeneration;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import org.jspecify.annotations.Nullable;

/**
 * Evidence that a filter has to give before it is believed. Both kinds are needed: a
 * filter of the wrong column, schema or copy calls all keys absent, so keys that were not
 * found say nothing about it, but it is never right about a key that exists.
 * <p>
 * Concurrency: evidence is gathered by any thread and reported by a refresh. It stays
 * until that has succeeded, since to report it twice does not change it.
 */
public final class Probation {

	private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

	private static final int KEYS_PER_FOUND_KEY = 10;

	/**
	 * Enough where nobody else writes, as in a database in memory.
	 */
	private static final int KEYS_OF_OWN = 3;

	private static final int MAX_WAITING = 1000;

	private final LatestSnapshot snapshot;

	private final Set<String> absent = ConcurrentHashMap.newKeySet();

	private final Set<String> found = ConcurrentHashMap.newKeySet();

	private final Set<String> wrong = ConcurrentHashMap.newKeySet();

	private volatile boolean unseen;

	private volatile int keys;

	private volatile Duration settle = Duration.ZERO;

	private final Origin origin;

	/**
	 * The origin of keys that was proven.
	 */
	private final Remembered<String> proven = new Remembered<>();

	private volatile LongSupplier insertions = () -> Long.MAX_VALUE;

	Probation(LatestSnapshot snapshot, Origin origin) {
		this.snapshot = snapshot;
		this.origin = origin;
	}

	/**
	 * Require a proof before the filter counts as proven.
	 * @param keys how many different keys that the filter calls absent have to be looked
	 * for and not found; 0 if it needs no proof
	 */
	public void require(int keys, LongSupplier insertions) {
		this.keys = keys;
		this.insertions = insertions;
	}

	/**
	 * Set how long older instances may insert rows, zero if there are none.
	 */
	public void settle(Duration settle) {
		this.settle = settle;
	}

	private Duration settle() {
		return this.origin.isOwn() ? Duration.ZERO : this.settle;
	}

	/**
	 * Return how many different keys that the filter calls absent have to be looked for
	 * and not found.
	 */
	public int required() {
		return this.origin.isOwn() ? Math.min(this.keys, KEYS_OF_OWN) : this.keys;
	}

	public boolean isSettled() {
		return isSettled(this.snapshot.get());
	}

	private boolean isSettled(RecordSnapshot snapshot) {
		return snapshot.rollout().isOver(settle());
	}

	public boolean isSettledSince(long epoch) {
		RecordSnapshot snapshot = this.snapshot.get();
		ActiveGeneration active = snapshot.active();
		return isSettled(snapshot) && active != null && active.since() <= epoch;
	}

	/**
	 * Return when the rollout counts as over, {@code null} if nothing is provisional.
	 */
	public @Nullable Instant settlesAt() {
		RecordSnapshot snapshot = this.snapshot.get();
		return (snapshot.active() != null && !isSettled(snapshot)) ? snapshot.rollout().end(settle()) : null;
	}

	/**
	 * Return whether what is active is provisional, and what is loaded now would not be.
	 */
	public boolean isSettleDue(Duration running) {
		RecordSnapshot snapshot = this.snapshot.get();
		ControlRecord record = snapshot.record();
		return record != null && snapshot.active() != null && !isSettled(snapshot)
				&& record.rollout().isOverIn(settle(), record.now(), running);
	}

	public boolean isPassed() {
		return isPassed(proof());
	}

	/**
	 * Return the state of a filter whose active generation is intact.
	 */
	FilterState state(RecordSnapshot snapshot) {
		return !isSettled(snapshot) ? FilterState.SETTLING
				: isPassed(snapshot.proof()) ? FilterState.READY : FilterState.PROVING;
	}

	private boolean isPassed(Proof proof) {
		return required() == 0 || proof.complete() || isEnough(proof);
	}

	public Proof proof() {
		return this.snapshot.get().proof();
	}

	private boolean isEnough(Proof proof) {
		return proof.calls() >= required() && proof.found() >= requiredFound(proof);
	}

	/**
	 * Return how many different keys have to be found that the filter lets pass. It can't
	 * be more than there are, unless they have all been added since nothing was loaded.
	 */
	public long requiredFound() {
		return requiredFound(proof());
	}

	private long requiredFound(Proof proof) {
		long required = mostFound();
		return (proof.found() >= required || proof.empty()) ? required
				: Math.min(required, Math.max(this.insertions.getAsLong(), 1));
	}

	private long mostFound() {
		return (required() + KEYS_PER_FOUND_KEY - 1) / KEYS_PER_FOUND_KEY;
	}

	String remaining() {
		RecordSnapshot snapshot = this.snapshot.get();
		Rollout rollout = snapshot.rollout();
		Proof proof = snapshot.proof();
		if (rollout.isRivalledInAnotherForm(settle())) {
			return String
				.format("it is loaded, and is loaded again after %s, because an instance with another version of"
						+ " bloom-guard was seen until %s, which keeps keys in another form: rows that it inserts may be"
						+ " missing here. It ends when all instances have the same version", rollout.end(settle()),
						Instant.ofEpochMilli(rollout.foreign()));
		}
		if (rollout.isRivalled(settle())) {
			return String
				.format("it is loaded, and is loaded again after %s (rebuild.settle), because another version of this"
						+ " application, with another query, entity, source or type of this filter, was seen until"
						+ " %s: rows that it inserts may be missing here. If both are to run beside each other,"
						+ " give their filters different names, or set rebuild.settle to 0s if each adds the keys"
						+ " of both", rollout.end(settle()), Instant.ofEpochMilli(rollout.rival()));
		}
		if (!isSettled(snapshot)) {
			Instant end = rollout.end(settle());
			return String.format(
					"it is loaded, and answers from %s on (in %s: older instances may still insert rows,"
							+ " rebuild.settle)%s; until then calls go through",
					CLOCK.format(end.atZone(ZoneId.systemDefault())), inWords(end.toEpochMilli() - now(snapshot)),
					isPassed(proof) ? ""
							: String.format(", when %d absent keys were asked for, and then %d existing ones",
									required(), requiredFound(proof)));
		}
		return String.format(
				"it is loaded, and proves itself: %d of %d different keys that it calls absent were looked"
						+ " for and not found, %d of %d that it lets pass were found",
				Math.min(proof.calls(), required()), required(), proof.found(), requiredFound(proof));
	}

	private static long now(RecordSnapshot snapshot) {
		return (snapshot.record() != null) ? snapshot.record().now() : System.currentTimeMillis();
	}

	private static String inWords(long millis) {
		long seconds = Math.max((millis + 999) / 1000, 0);
		return (seconds >= 120) ? (seconds + 30) / 60 + " min" : seconds + " s";
	}

	public void notFound(String key) {
		if (proof().calls() < required()) {
			note(this.absent, key);
		}
	}

	public void found(String key) {
		if (proof().found() < mostFound()) {
			note(this.found, key);
		}
	}

	/**
	 * Report a key that the filter called absent, after it was believed, and that was
	 * found.
	 */
	public void wrong(String key) {
		note(this.wrong, key);
	}

	/**
	 * Return whether absent answers are to be looked up before they are given, because
	 * some were wrong lately.
	 */
	public boolean isDoubted() {
		ControlRecord record = this.snapshot.get().record();
		return !this.wrong.isEmpty() || (record != null && record.proof().doubt().isLasting(record.now()));
	}

	/**
	 * Report that a caller has found a row that no source has.
	 */
	public void unseen() {
		this.unseen = true;
	}

	/**
	 * Return whether callers are believed to see rows that the sources do not, because
	 * one did lately.
	 */
	public boolean isUnseen() {
		ControlRecord record = this.snapshot.get().record();
		return this.unseen || (record != null && record.proof().doubt().isUnseen(record.now()));
	}

	/**
	 * Return until when absent answers are looked up before they are given, {@code null}
	 * if nothing that was found asks for it.
	 */
	public @Nullable Instant beforeUntil() {
		return (isDoubted() || isUnseen()) ? proof().doubt().end() : null;
	}

	/**
	 * Return whether what is active was wrong, so that the keys are to be loaded again.
	 */
	public boolean isReloadDue() {
		RecordSnapshot snapshot = this.snapshot.get();
		ControlRecord record = snapshot.record();
		return record != null && snapshot.active() != null
				&& record.proof().doubt().isReloadDue(record.rollout().begun(), record.now());
	}

	private static void note(Set<String> keys, String key) {
		if (keys.size() < MAX_WAITING) {
			keys.add(String.format("%08x", key.hashCode()));
		}
	}

	void read(ControlRecord record) {
		String origin = this.origin.value();
		if (record.proof().refuted() != null || !origin.equals(this.proven.value())) {
			this.proven.forget();
		}
		this.proven.read(record.created(), (this.keys > 0 && isPassed(record.proof())) ? origin : null);
	}

	Evidence evidence() {
		Proof proof = proof();
		List<String> wrong = List.copyOf(this.wrong);
		boolean unseen = this.unseen;
		if (this.proven.lost() != null) {
			return new Evidence(List.of(), List.of(), wrong, true, unseen);
		}
		if (required() == 0 || proof.complete()) {
			return new Evidence(List.of(), List.of(), wrong, false, unseen);
		}
		return new Evidence(List.copyOf(this.absent), List.copyOf(this.found), wrong, isEnough(proof), unseen);
	}

	void reported(Evidence evidence) {
		evidence.absent().forEach(this.absent::remove);
		evidence.found().forEach(this.found::remove);
		evidence.wrong().forEach(this.wrong::remove);
		if (evidence.unseen()) {
			this.unseen = false;
		}
	}

}
