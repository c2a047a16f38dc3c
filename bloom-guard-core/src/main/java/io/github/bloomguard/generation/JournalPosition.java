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

package io.github.bloomguard.generation;

import java.util.Comparator;

/**
 * A place in the add journal: the id of an entry, or one between two.
 *
 * @param millis the time of the entry, by the clock of the server
 * @param number orders the entries of a millisecond
 */
public record JournalPosition(long millis, long number) implements Comparable<JournalPosition> {

	private static final Comparator<JournalPosition> ORDER = Comparator.comparingLong(JournalPosition::millis)
		.thenComparingLong(JournalPosition::number);

	public static final JournalPosition START = new JournalPosition(0, 0);

	public static JournalPosition of(String id) {
		int dash = id.indexOf('-');
		return (dash < 0) ? START
				: new JournalPosition(Long.parseLong(id.substring(0, dash)), Long.parseLong(id.substring(dash + 1)));
	}

	public boolean covers(JournalPosition other) {
		return compareTo(other) >= 0;
	}

	@Override
	public int compareTo(JournalPosition other) {
		return ORDER.compare(this, other);
	}

	@Override
	public String toString() {
		return this.millis + "-" + this.number;
	}

}
