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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.OwnerOrigin;
import io.github.bloomguard.generation.OwnerTerms;
import io.github.bloomguard.generation.Rollout;
import org.jspecify.annotations.Nullable;

/**
 * How far a reader believes the filter of another application, its owner. It asks what
 * the owner's instances have agreed on, and believes it as long as they do: all versions
 * of the owner that are in use have to believe their filters, and each of these filters
 * has to call a key absent. What the owner does not tell, or tells in a way that this
 * version does not know, lets calls pass.
 * <p>
 * An owner of which no instance is seen any more may have been rolled back to a version
 * without the guard, which inserts rows and adds no keys. So its filter counts only while
 * instances are seen.
 *
 * @param filter the name of the filter
 * @param owner the name of the application, as it is configured
 * @param type the type of filter that the reader asks
 * @param mode the mode that the reader has configured
 * @param verification when absent answers are verified, as configured
 */
record OwnerView(String filter, String owner, String type, FilterMode mode, Mode verification) {

	/**
	 * For how long an instance may not have been seen that is running: it is noted once a
	 * minute.
	 */
	private static final Duration UNSEEN = Rollout.UNSEEN;

	/**
	 * Return the generations that are asked, one for each version of the owner, none if
	 * nothing may be believed.
	 */
	List<Generation> asked(ControlRecord record) {
		return (obstacle(record) != null) ? List.of()
				: versions(record).stream()
					.map((version) -> record.active(version.origin()))
					.filter(Objects::nonNull)
					.toList();
	}

	/**
	 * Return the standing of the version that is believed least.
	 */
	Standing judge(@Nullable ControlRecord record, boolean active, boolean lost, CallEvidence found) {
		String obstacle = (record != null) ? obstacle(record) : null;
		if (record == null || obstacle != null) {
			return Standing.ofReader(lost, this.mode, this.verification, obstacle);
		}
		List<Standing> standings = new ArrayList<>();
		for (OwnerOrigin version : versions(record)) {
			OwnerTerms terms = Objects.requireNonNull(version.terms());
			standings.add(Standing.of(version.trust(), record.now(), active, lost, mode(record),
					required(version, terms), found, Duration.ZERO));
		}
		return standings.stream().max(Comparator.comparingInt(OwnerView::doubtfulness)).orElseThrow();
	}

	private static int doubtfulness(Standing standing) {
		if (standing.answering()) {
			return (standing.verification() == Mode.BEFORE) ? 1 : 0;
		}
		return switch (standing.state()) {
			case READY, SHADOW, OFF, UNREACHABLE -> 2;
			case PROVING -> 3;
			case SETTLING -> 4;
			case REFUTED -> 5;
			case LOADING, LOST -> 6;
		};
	}

	private Requirements required(OwnerOrigin version, OwnerTerms terms) {
		Requirements required = new Requirements(terms.requiredCalls(), terms.settle(), this.verification,
				terms.callersOnly(), terms.unseenWriters() ? "a way that its owner does not see" : null,
				() -> Long.MAX_VALUE);
		return Origin.isOwn(version.origin()) ? required.ofOwn() : required;
	}

	/**
	 * Return the mode that counts: the most careful one of those that the reader and the
	 * versions of the owner have, unless the owner's was switched at run time.
	 */
	FilterMode mode(@Nullable ControlRecord record) {
		FilterMode mode = this.mode;
		if (record == null) {
			return mode;
		}
		if (record.switched() != null) {
			return moreCareful(mode, record.switched().mode());
		}
		for (OwnerOrigin version : versions(record)) {
			mode = (version.terms() != null) ? moreCareful(mode, version.terms().mode()) : mode;
		}
		return mode;
	}

	private static FilterMode moreCareful(FilterMode one, FilterMode other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	/**
	 * Return the versions of the owner that are in use and load the filter.
	 */
	private static List<OwnerOrigin> versions(ControlRecord record) {
		return record.owned()
			.stream()
			.filter((version) -> isInUse(version, record))
			.filter((version) -> version.terms() == null || version.terms().loads())
			.toList();
	}

	private static boolean isInUse(OwnerOrigin version, ControlRecord record) {
		return version.used() > 0 && record.now() - version.used() < UNSEEN.toMillis();
	}

	/**
	 * Return why nothing can be asked, and what it waits for, {@code null} if the
	 * generations decide.
	 */
	private @Nullable String obstacle(ControlRecord record) {
		List<OwnerOrigin> versions = versions(record);
		if (versions.isEmpty()) {
			return absence(record);
		}
		for (OwnerOrigin version : versions) {
			String obstacle = obstacle(version, record);
			if (obstacle != null) {
				return obstacle;
			}
		}
		return null;
	}

	private String absence(ControlRecord record) {
		long seen = record.owned()
			.stream()
			.filter((version) -> version.terms() == null || version.terms().loads())
			.mapToLong(OwnerOrigin::used)
			.max()
			.orElse(0);
		return (seen > 0) ? String.format(
				"no instance of its owner, the application '%s', was seen since %s: it waits for one, because rows may"
						+ " be inserted meanwhile whose keys are not added",
				this.owner, Instant.ofEpochMilli(seen))
				: String.format(
						"it waits for its owner, the application '%s', of which no instance that loads this filter was"
								+ " seen yet: is that its bloom-guard.application or spring.application.name, and has it"
								+ " the same Redis, database and bloom-guard.key-prefix?",
						this.owner);
	}

	private @Nullable String obstacle(OwnerOrigin version, ControlRecord record) {
		OwnerTerms terms = version.terms();
		if (!Origin.isInThisForm(version.origin())) {
			return String
				.format("its owner, the application '%s', has another version of bloom-guard, which keeps keys in"
						+ " another form: it waits until both have the same", this.owner);
		}
		if (terms == null) {
			return String
				.format("its owner, the application '%s', has a version of bloom-guard that does not tell which"
						+ " keys may be called absent, or not in words that are known here: it waits until both have the"
						+ " same", this.owner);
		}
		if (!terms.type().equals(this.type)) {
			return String
				.format("its owner, the application '%s', keeps it as the type '%s', and here it has the type '%s':"
						+ " configure the same", this.owner, terms.type(), this.type);
		}
		FilterMode mode = (record.switched() != null) ? record.switched().mode() : terms.mode();
		if (mode != FilterMode.OFF && record.active(version.origin()) == null) {
			return String.format("it waits until its owner, the application '%s', has loaded it", this.owner);
		}
		return null;
	}

	/**
	 * Return why something can't be done here.
	 * @param what is done with a filter
	 */
	InvalidGuardException refusal(String what) {
		return new InvalidGuardException(
				String.format("The filter '%s' is that of the application '%s', and only asked here, so it can't be %s",
						this.filter, this.owner, what),
				"Do it in an instance of that application");
	}

	/**
	 * Return whether all versions of the owner tell that a key may be called absent.
	 */
	boolean tellApart(KeyFormat format, Object key, @Nullable ControlRecord record) {
		return record != null && versions(record).stream()
			.map(OwnerOrigin::terms)
			.allMatch((terms) -> terms != null && terms.keys().tellApart(format, key));
	}

}
