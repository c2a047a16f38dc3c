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

package io.github.bloomguard.changes;

import io.github.bloomguard.catchup.LogPosition;

/**
 * A position in a binary log: a numbered file and an offset in it. Both begin again after
 * {@code reset master} and differ on each server, so the name of the log and the second
 * in which the file was created come with them.
 *
 * @param log the name of the log, of the server and of what the keys of the table depend
 * on
 * @param created when the file was created, in seconds
 */
record BinlogPosition(String log, long created, long file, long offset) {

	static final long FIRST = 4;

	static final long FIRST_FILE = 1;

	static BinlogPosition of(LogPosition position) {
		return new BinlogPosition(position.log(), position.created(), position.file(), position.offset());
	}

	static long number(String fileName) {
		return Long.parseLong(fileName.substring(fileName.lastIndexOf('.') + 1));
	}

	LogPosition toLogPosition() {
		return new LogPosition(this.log, this.file, this.created, this.offset);
	}

	/**
	 * Return how many bytes of a file are behind this position.
	 */
	long behind(long file, long length) {
		return (file < this.file) ? 0 : (file > this.file) ? length : Math.max(length - this.offset, 0);
	}

	boolean isOfLogOf(BinlogPosition other) {
		return toLogPosition().isOfLogOf(other.toLogPosition());
	}

	/**
	 * Return whether a position is not behind this one, if both are of one log.
	 */
	boolean isReachedBy(BinlogPosition position) {
		return position.file > this.file || (position.file == this.file && position.offset >= this.offset);
	}

}
