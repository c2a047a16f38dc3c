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

package io.github.bloomguard.testsupport;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys that were removed from the filters in a Redis.
 */
public final class RemovedKeys {

	private RemovedKeys() {
	}

	/**
	 * Let filters look as if they had been there for a long time: a removal needs to know
	 * what was added lately.
	 */
	public static void allow(TestRedis redis, String... filters) {
		for (String filter : filters) {
			redis.command("HSET", "bloom-guard:{" + filter + "}:control", "since", "1");
		}
	}

	/**
	 * Return the keys that have been removed, in that order.
	 */
	public static List<String> of(TestRedis redis, String filter) {
		List<String> removed = new ArrayList<>();
		List<String> journal = redis.command("XRANGE", "bloom-guard:{" + filter + "}:journal", "-", "+")
			.lines()
			.toList();
		for (int i = 0; i < journal.size() - 1; i++) {
			if (journal.get(i).equals("r")) {
				removed.add(journal.get(i + 1));
			}
		}
		return removed;
	}

}
