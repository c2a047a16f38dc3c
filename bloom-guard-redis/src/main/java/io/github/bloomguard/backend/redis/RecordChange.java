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

package io.github.bloomguard.backend.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.generation.RecordState.KnownOrigin;
import io.github.bloomguard.generation.RecordState.Listed;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the hash in which two records differ, as {@code swap.lua} takes them.
 */
final class RecordChange {

	private static final List<String> OF_A_PROOF = List.of("proven:", "found:", "complete:", "wrong:", "doubtful:",
			"doubted:", "unseen:");

	private final RecordState before;

	private final Map<String, String> set = new LinkedHashMap<>();

	private final List<String> deleted = new ArrayList<>();

	private final List<String> forgotten = new ArrayList<>();

	private String begun = "";

	private String origin = "";

	RecordChange(RecordState before, RecordState after) {
		this.before = before;
		after.listed().forEach(this::list);
		before.listed().keySet().stream().filter((id) -> !after.listed().containsKey(id)).forEach(this::drop);
		after.origins().forEach((origin, known) -> change(origin, before.known(origin), known));
		before.origins()
			.keySet()
			.stream()
			.filter((origin) -> !after.origins().containsKey(origin))
			.forEach(this::forget);
		Map<String, String> switches = RecordReply.describe(after.switches());
		Map<String, String> former = RecordReply.describe(before.switches());
		Stream.concat(former.keySet().stream(), switches.keySet().stream())
			.distinct()
			.forEach((field) -> change(field, former.get(field), switches.get(field)));
		change("keep", number(before.journalKeptFrom()), number(after.journalKeptFrom()));
	}

	private void list(String id, Listed after) {
		Listed before = this.before.listed().get(id);
		if (before == null) {
			this.begun = id;
			this.origin = after.generation().origin();
		}
		change("g:" + id, (before != null) ? RecordReply.describe(before.generation()) : null,
				RecordReply.describe(after.generation()));
		change("begun:" + id, (before != null) ? number(before.begun()) : null, number(after.begun()));
		change("shapes:" + id, (before != null) ? before.shapes() : null, after.shapes());
	}

	private void drop(String id) {
		Stream.of("g:", "begun:", "shapes:", "removed:", "m:").map((field) -> field + id).forEach(this.deleted::add);
	}

	private void change(String origin, KnownOrigin before, KnownOrigin after) {
		change("arrived:" + origin, number(before.arrived()), number(after.arrived()));
		change("doubted:" + origin, number(before.doubted()), number(after.doubted()));
	}

	private void forget(String origin) {
		this.forgotten.addAll(
				List.of("used:" + origin, Objects.requireNonNullElse(number(this.before.known(origin).used()), "")));
		Stream.of("used:", "returned:", "arrived:", "refuted:", "terms:")
			.map((field) -> field + origin)
			.forEach(this.deleted::add);
		forgetProof(origin);
	}

	private void forgetProof(String origin) {
		OF_A_PROOF.forEach((field) -> this.deleted.add(field + origin));
	}

	private void change(String field, @Nullable String before, @Nullable String after) {
		if (after == null && before != null) {
			this.deleted.add(field);
		}
		else if (after != null && !after.equals(before)) {
			this.set.put(field, after);
		}
	}

	private static @Nullable String number(long value) {
		return (value != 0) ? String.valueOf(value) : null;
	}

	Object[] arguments(@Nullable String token) {
		List<String> arguments = new ArrayList<>();
		arguments.add(Objects.requireNonNullElse(token, ""));
		arguments.add(this.before.stamp());
		arguments.add(this.begun);
		arguments.add(this.origin);
		arguments.add(String.valueOf(this.forgotten.size() / 2));
		arguments.add(String.valueOf(this.set.size()));
		arguments.addAll(this.forgotten);
		this.set.forEach((field, value) -> arguments.addAll(List.of(field, value)));
		arguments.addAll(this.deleted);
		return arguments.toArray();
	}

}
