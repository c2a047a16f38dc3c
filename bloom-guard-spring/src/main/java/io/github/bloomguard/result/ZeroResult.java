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

package io.github.bloomguard.result;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether {@code 0} or {@code false} is what a method gives if there is nothing, as far
 * as its name tells: a number may be a value of the row, which no row has, and a question
 * may be whether something is not there.
 */
final class ZeroResult {

	private static final Pattern COUNTING = Pattern.compile("(count|selectCount|numberOf|delete|remove)(?![a-z]).*");

	private static final Pattern ASKING_FOR_EXISTENCE = Pattern.compile("exists(?![a-z]).*");

	private static final Pattern CRITERIA = Pattern.compile("By(?![a-z]).*");

	private static final Pattern BETWEEN_WORDS = Pattern.compile("(?=[A-Z])|_");

	private static final Set<String> NEGATIONS = Set.of("not", "no", "never", "without");

	private static final Set<String> ABSENCES = Set.of("absent", "available", "free", "gone", "missing", "new",
			"unique", "unknown", "unused", "vacant");

	private ZeroResult() {
	}

	/**
	 * Return whether a method gives the number of things that there are.
	 */
	static boolean isCount(String method) {
		return COUNTING.matcher(method).matches();
	}

	static boolean asksForExistence(String method) {
		return ASKING_FOR_EXISTENCE.matcher(method).matches() && !asksForAbsence(method);
	}

	/**
	 * Return whether a method asks for what is not there, such as {@code isNameFree}.
	 */
	static boolean asksForAbsence(String method) {
		List<String> words = BETWEEN_WORDS.splitAsStream(CRITERIA.matcher(method).replaceFirst(""))
			.map((word) -> word.toLowerCase(Locale.ROOT))
			.toList();
		return words.stream().anyMatch(NEGATIONS::contains)
				|| (!words.isEmpty() && ABSENCES.contains(words.get(words.size() - 1)));
	}

}
