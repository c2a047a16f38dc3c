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

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.JournalPosition;

/**
 * The add journal, and which keys were added lately. Guarded by its {@link FilterMemory}.
 */
final class Journal {

	/**
	 * What an entry takes beside its text, and what it takes to know when it was added.
	 */
	private static final int ENTRY = 100;

	private final NavigableMap<JournalPosition, String> entries = new TreeMap<>();

	/**
	 * When keys were added, the latest last.
	 */
	private final Map<String, Long> added = new LinkedHashMap<>();

	private long last;

	private long size;

	private long keptFrom;

	void trim(long oldest, long oldestAdded) {
		JournalPosition kept = new JournalPosition((this.keptFrom > 0) ? Math.min(oldest, this.keptFrom) : oldest, 0);
		Iterator<String> unneeded = this.entries.headMap(kept, false).values().iterator();
		while (unneeded.hasNext()) {
			this.size -= size(unneeded.next());
			unneeded.remove();
		}
		Iterator<Long> times = this.added.values().iterator();
		while (times.hasNext() && times.next() < oldestAdded) {
			times.remove();
		}
	}

	void append(List<String> keys, long now) {
		for (String key : keys) {
			this.entries.put(new JournalPosition(now, ++this.last), key);
			this.size += size(key);
			note(key, now);
		}
	}

	/**
	 * Note that something counts as added lately.
	 */
	void note(String key, long now) {
		this.added.remove(key);
		this.added.put(key, now);
	}

	void clear() {
		this.entries.clear();
		this.added.clear();
		this.size = 0;
	}

	/**
	 * Return about how many bytes it takes.
	 */
	long size() {
		return this.size + (long) ENTRY * this.added.size();
	}

	boolean isAddedSince(String key, long from) {
		Long time = this.added.get(key);
		return time != null && time >= from;
	}

	private static long size(String key) {
		return ENTRY + key.length();
	}

	/**
	 * Keep all from a time on, or what is not too old if it is 0.
	 */
	void keepFrom(long time) {
		this.keptFrom = time;
	}

	long keptFrom() {
		return this.keptFrom;
	}

	JournalPage page(String after, int count) {
		Iterator<Map.Entry<JournalPosition, String>> following = this.entries.tailMap(JournalPosition.of(after), false)
			.entrySet()
			.iterator();
		List<String> keys = new ArrayList<>();
		String last = "";
		while (keys.size() < count && following.hasNext()) {
			Map.Entry<JournalPosition, String> entry = following.next();
			keys.add(entry.getValue());
			last = entry.getKey().toString();
		}
		return new JournalPage(keys, last);
	}

}
