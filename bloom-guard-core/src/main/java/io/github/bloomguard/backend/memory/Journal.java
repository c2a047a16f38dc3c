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

package io.github.bloomguard.backend.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import io.github.bloomguard.generation.ControlStore.JournalPage;

/**
 * The add journal. Guarded by the {@link FilterMemory} that it belongs to.
 */
final class Journal {

	private final NavigableMap<Position, String> entries = new TreeMap<>();

	private long last;

	private long keptFrom = Long.MAX_VALUE;

	/**
	 * Append keys, and forget those that nobody needs any more.
	 */
	void append(List<String> keys, Duration retention, long now) {
		long oldest = Math.min(now - retention.toMillis(), this.keptFrom);
		this.entries.headMap(new Position(oldest, 0), false).clear();
		for (String key : keys) {
			this.entries.put(new Position(now, ++this.last), key);
		}
	}

	/**
	 * Forget nothing from a time on, until {@link #keepNoLonger()}.
	 */
	void keepFrom(long time) {
		this.keptFrom = time;
	}

	void keepNoLonger() {
		this.keptFrom = Long.MAX_VALUE;
	}

	JournalPage page(String after, int count) {
		Iterator<Map.Entry<Position, String>> following = this.entries.tailMap(Position.parse(after), false)
			.entrySet()
			.iterator();
		List<String> keys = new ArrayList<>();
		String last = "";
		while (keys.size() < count && following.hasNext()) {
			Map.Entry<Position, String> entry = following.next();
			keys.add(entry.getValue());
			last = entry.getKey().format();
		}
		return new JournalPage(keys, last);
	}

	/**
	 * The place of an entry.
	 *
	 * @param time when it was appended, in milliseconds
	 * @param number grows with each entry
	 */
	private record Position(long time, long number) implements Comparable<Position> {

		private static final Comparator<Position> ORDER = Comparator.comparingLong(Position::time)
			.thenComparingLong(Position::number);

		static Position parse(String text) {
			int dash = text.indexOf('-');
			return new Position(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
		}

		String format() {
			return this.time + "-" + this.number;
		}

		@Override
		public int compareTo(Position other) {
			return ORDER.compare(this, other);
		}

	}

}
