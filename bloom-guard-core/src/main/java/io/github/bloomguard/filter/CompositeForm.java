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

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The form of a key of several parts, as {@link KeyFormat} writes it: a parenthesis, the
 * number of parts, and each part with its length.
 */
final class CompositeForm {

	private static final String EMPTY_PART = "|-";

	private CompositeForm() {
	}

	static boolean isOne(String form) {
		return form.length() > 1 && form.charAt(0) == '(' && form.charAt(1) >= '0' && form.charAt(1) <= '9';
	}

	/**
	 * Return a form with its parts in other forms, in all their combinations.
	 * @param sorted whether the order of the parts is given up
	 * @param most how many there may be
	 * @return {@code null} if a part has no form, or there are too many
	 */
	static @Nullable List<String> rewritten(String form, PartForms forms, boolean sorted, int most) {
		int next = form.indexOf('|');
		if (next < 0) {
			return List.of(form);
		}
		String count = form.substring(0, next);
		List<List<String>> all = List.of(List.of());
		for (int index = 0; next < form.length(); index++) {
			List<String> part = List.of(EMPTY_PART);
			if (form.startsWith(EMPTY_PART, next)) {
				next += EMPTY_PART.length();
			}
			else {
				int begin = form.indexOf(':', next) + 1;
				int end = begin + Integer.parseInt(form, next + 1, begin - 1, 10);
				List<String> found = forms.of(index, form.substring(begin, end));
				if (found == null) {
					return null;
				}
				part = found.stream().map((text) -> "|" + text.length() + ":" + text).toList();
				next = end;
			}
			all = combined(all, part);
			if (all.size() > most) {
				return null;
			}
		}
		return all.stream()
			.map((parts) -> count + (sorted ? parts.stream().sorted() : parts.stream()).collect(Collectors.joining()))
			.toList();
	}

	private static List<List<String>> combined(List<List<String>> all, List<String> part) {
		return all.stream()
			.flatMap((parts) -> part.stream().map((form) -> Stream.concat(parts.stream(), Stream.of(form)).toList()))
			.toList();
	}

	/**
	 * Gives a part its forms, {@code null} if it has none.
	 */
	@FunctionalInterface
	interface PartForms {

		@Nullable List<String> of(int index, String part);

	}

}
