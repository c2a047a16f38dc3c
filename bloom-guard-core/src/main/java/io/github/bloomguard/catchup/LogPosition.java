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

package io.github.bloomguard.catchup;

/**
 * A position in a change log.
 *
 * @param log what tells the log from another one with the same offsets; compared only by
 * the log itself
 * @param offset a number that grows with the log, 0 where no position is known
 */
public record LogPosition(String log, long offset) {

	public static final LogPosition NONE = new LogPosition("", 0);

	private static final String SEPARATOR = "@";

	public static LogPosition of(long offset) {
		return new LogPosition("", offset);
	}

	static LogPosition of(Checkpoint checkpoint) {
		if (checkpoint.value() instanceof Long offset) {
			return of(offset);
		}
		String text = checkpoint.value().toString();
		int end = text.indexOf(SEPARATOR);
		return new LogPosition(text.substring(end + 1), Long.parseLong(text.substring(0, end)));
	}

	Checkpoint checkpoint() {
		return new Checkpoint(this.log.isEmpty() ? this.offset : this.offset + SEPARATOR + this.log);
	}

}
