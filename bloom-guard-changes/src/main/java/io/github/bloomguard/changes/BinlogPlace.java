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

import io.github.bloomguard.feed.FilePosition;

/**
 * A place in the files of a binary log, as a statement gives it. Which log that is, only
 * the connection tells: a {@link FilePosition} has that, too.
 */
record BinlogPlace(long file, long offset) {

	static final long FIRST = 4;

	static final long FIRST_FILE = 1;

	static BinlogPlace of(FilePosition position) {
		return new BinlogPlace(position.file(), position.offset());
	}

	static long number(String fileName) {
		return Long.parseLong(fileName.substring(fileName.lastIndexOf('.') + 1));
	}

	FilePosition in(String log, long created) {
		return new FilePosition(log, this.file, created, this.offset);
	}

	/**
	 * Return how many bytes of a file are behind this place.
	 */
	long behind(long file, long length) {
		return (file < this.file) ? 0 : (file > this.file) ? length : Math.max(length - this.offset, 0);
	}

	boolean isReachedBy(FilePosition position) {
		return position.file() > this.file || (position.file() == this.file && position.offset() >= this.offset);
	}

}
