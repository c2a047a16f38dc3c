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
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which keys were added lately, the latest last. Guarded by its {@link FilterMemory}.
 */
final class AddedLately {

	/**
	 * What a key takes beside its text, which the journal has.
	 */
	private static final int ENTRY = 100;

	private final Map<String, Long> times = new LinkedHashMap<>();

	void trim(long kept) {
		Iterator<Long> oldest = this.times.values().iterator();
		while (oldest.hasNext() && oldest.next() < kept) {
			oldest.remove();
		}
	}

	void add(Collection<String> keys, long now) {
		for (String key : keys) {
			this.times.remove(key);
			this.times.put(key, now);
		}
	}

	void clear() {
		this.times.clear();
	}

	/**
	 * Return about how many bytes it takes.
	 */
	long size() {
		return (long) ENTRY * this.times.size();
	}

	boolean isAddedSince(String key, long from) {
		Long time = this.times.get(key);
		return time != null && time >= from;
	}

	boolean contains(String key, Duration retention, long now) {
		Long time = this.times.get(key);
		return time != null && now - time < retention.toMillis();
	}

}
