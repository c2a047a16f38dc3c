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

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Evidence;

/**
 * What calls of this instance have shown about a filter, until it was reported.
 * <p>
 * Concurrency: any thread adds to it, and a refresh reports it. It stays until that has
 * succeeded, since to report it twice does not change it. What makes a filter less
 * believed counts in this instance at once: it is noted, and then the standing is
 * computed anew.
 */
public final class CallEvidence {

	private static final int MAX_WAITING = 1000;

	private final Set<String> absent = ConcurrentHashMap.newKeySet();

	private final Set<String> found = ConcurrentHashMap.newKeySet();

	private final Set<String> wrong = ConcurrentHashMap.newKeySet();

	private volatile boolean callersOnly;

	/**
	 * The origin of keys that was proven.
	 */
	private final Remembered<String> proven = new Remembered<>();

	private final Supplier<Standing> standing;

	private final Runnable judgeAnew;

	/**
	 * @param standing the present one
	 * @param judgeAnew computes it anew
	 */
	CallEvidence(Supplier<Standing> standing, Runnable judgeAnew) {
		this.standing = standing;
		this.judgeAnew = judgeAnew;
	}

	/**
	 * Note a key that the filter calls absent, and that was not found.
	 */
	public void noteAbsent(String form) {
		Standing standing = this.standing.get();
		if (standing.trust().proof().absent() < standing.required().calls()) {
			note(this.absent, form);
		}
	}

	/**
	 * Note a key that the filter lets pass, and that was found.
	 */
	public void noteFound(String form) {
		Standing standing = this.standing.get();
		if (standing.trust().proof().found() < standing.required().calls()) {
			note(this.found, form);
		}
	}

	/**
	 * Note a key that the filter calls absent, and that was found.
	 */
	public void noteWrong(String form) {
		note(this.wrong, form);
		this.judgeAnew.run();
	}

	/**
	 * Note that a caller has found a row that no source has.
	 */
	public void noteCallersOnly() {
		this.callersOnly = true;
		this.judgeAnew.run();
	}

	private static void note(Set<String> keys, String form) {
		if (keys.size() < MAX_WAITING) {
			keys.add(String.format("%08x", form.hashCode()));
		}
	}

	boolean isWrong() {
		return !this.wrong.isEmpty();
	}

	boolean isCallersOnly() {
		return this.callersOnly;
	}

	/**
	 * Remember whether a record says that an origin is proven, so that a record that was
	 * lost is told again.
	 */
	void rememberProof(ControlRecord record, String origin, Standing standing) {
		if ((standing.doubted() && !standing.proven()) || !origin.equals(this.proven.value())) {
			this.proven.forget();
		}
		this.proven.read(record.created(), (standing.required().calls() > 0 && standing.proven()) ? origin : null);
	}

	Evidence evidence() {
		Standing standing = this.standing.get();
		List<String> wrong = List.copyOf(this.wrong);
		boolean callersOnly = this.callersOnly;
		if (this.proven.lost() != null) {
			return new Evidence(List.of(), List.of(), wrong, true, callersOnly);
		}
		if (standing.required().calls() == 0 || standing.trust().proof().complete()) {
			return new Evidence(List.of(), List.of(), wrong, false, callersOnly);
		}
		return new Evidence(List.copyOf(this.absent), List.copyOf(this.found), wrong, standing.proven(), callersOnly);
	}

	void reported(Evidence evidence) {
		evidence.absent().forEach(this.absent::remove);
		evidence.found().forEach(this.found::remove);
		evidence.wrong().forEach(this.wrong::remove);
		if (evidence.callersOnly()) {
			this.callersOnly = false;
		}
	}

}
