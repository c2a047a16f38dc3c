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

package io.github.bloomguard.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Finds out which of many keys there are, by asking for several of them whether there is
 * any. Keys that a filter calls absent are not there but by mistake, so that one question
 * is enough for them. The database compares, so its own equality decides.
 */
public final class KeySearch {

	private KeySearch() {
	}

	/**
	 * Search for each of some keys.
	 * @param together for how many keys one question may be
	 * @return for each key, in their order, whether it is there
	 */
	public static <K, X extends Exception> List<Boolean> each(List<K> keys, int together, AnyOf<K, X> question)
			throws X {
		List<Boolean> found = new ArrayList<>(Collections.nCopies(keys.size(), false));
		for (int from = 0; from < keys.size(); from += together) {
			search(keys, from, Math.min(from + together, keys.size()), question, found);
		}
		return found;
	}

	private static <K, X extends Exception> void search(List<K> keys, int from, int to, AnyOf<K, X> question,
			List<Boolean> found) throws X {
		if (!question.isThereAnyOf(keys.subList(from, to))) {
			return;
		}
		if (to - from == 1) {
			found.set(from, true);
			return;
		}
		int middle = (from + to) >>> 1;
		search(keys, from, middle, question, found);
		search(keys, middle, to, question, found);
	}

	/**
	 * Asks whether there is any of some keys.
	 *
	 * @param <K> the type of the keys
	 * @param <X> what the question may throw
	 */
	@FunctionalInterface
	public interface AnyOf<K, X extends Exception> {

		boolean isThereAnyOf(List<K> keys) throws X;

	}

}
