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

package io.github.bloomguard.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.github.bloomguard.chaos.Interleavings.Made;
import io.github.bloomguard.generation.ControlStore.JournalPage;

/**
 * What still matters of the history of an actor.
 */
final class Essence {

	private Essence() {
	}

	/**
	 * An add that appends its keys again because the record has changed starts over, so
	 * what it did since it appended them before makes no difference any more.
	 */
	static List<Made> ofAdder(List<Made> known) {
		Made last = known.get(known.size() - 1);
		if (!last.name().startsWith("append")) {
			return known;
		}
		int reads = 0;
		for (int i = known.size() - 2; i >= 0 && reads < 2; i--) {
			reads += known.get(i).name().equals("read record") ? 1 : 0;
			if (known.get(i).name().equals(last.name()) && reads == 1) {
				List<Made> shorter = new ArrayList<>(known.subList(0, i));
				shorter.add(last);
				return shorter;
			}
		}
		return known;
	}

	/**
	 * What a builder has read makes no difference any more when it has been written.
	 */
	static List<Made> ofBuilder(List<Made> known) {
		return ofBuilder(known, "");
	}

	/**
	 * As above, when the last string has been written.
	 */
	static List<Made> ofBuilder(List<Made> known, String lastString) {
		String last = known.get(known.size() - 1).name();
		if (!last.startsWith("write keys") || !last.endsWith(lastString)) {
			return known;
		}
		return known.stream().map((made) -> {
			if (made.result() instanceof JournalPage page && !page.keys().isEmpty()) {
				return new Made(made.name(), new JournalPage(List.of("a"), page.last()));
			}
			return made.name().equals("scan rows") ? new Made(made.name(), Set.of("r")) : made;
		}).toList();
	}

	/**
	 * Return whether a step of the only builder, whose generation is not lost, concerns
	 * nobody else. What it writes is not read before it is active, and adding elements is
	 * commutative.
	 */
	static boolean isBuildersOwn(String step) {
		return step.matches("(acquire|release|create|write|seal) .*|is .* whole");
	}

	/**
	 * Of the times that a mirror has read, only the one matters from which its present
	 * view is trusted, and those that come after it. It is not asked before its last
	 * refresh.
	 */
	static List<Made> ofMirror(List<Made> known) {
		int read = -1;
		int clock = -1;
		for (int i = 0; i < known.size(); i++) {
			if (known.get(i).name().equals("read clock")) {
				clock = i;
			}
			else if (known.get(i).name().equals("renew")) {
				read = clock;
			}
		}
		List<Made> result = new ArrayList<>(known);
		for (int i = 0; i < read; i++) {
			if (known.get(i).name().equals("read clock")) {
				result.set(i, new Made("read clock", 0L));
			}
		}
		return result;
	}

}
