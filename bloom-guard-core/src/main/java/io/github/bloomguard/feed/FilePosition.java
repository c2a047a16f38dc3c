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

package io.github.bloomguard.feed;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in a change log that the database writes, perhaps to several files. The name
 * of a log says of which server it is and what its records mean, so what changes either
 * of them begins another log.
 *
 * @param log the name of the log, empty where no position is known
 * @param file a number that grows with each file, 0 for a log that is of one
 * @param created when the file was created, in seconds, as far as files of the same
 * number have to be told apart
 * @param offset a number that grows within the file
 */
public record FilePosition(String log, long file, long created, long offset) implements LogPosition {

	/**
	 * A position of no log.
	 */
	public static final FilePosition NONE = new FilePosition("", 0);

	private static final Comparator<FilePosition> ORDER = Comparator.comparingLong(FilePosition::file)
		.thenComparingLong(FilePosition::offset);

	private static final String SEPARATOR = "@";

	private static final String FILES = ":";

	/**
	 * No longer numbers: another version may have written them.
	 */
	private static final Pattern TEXT = Pattern.compile("(-?\\d{1,18}):(-?\\d{1,18}):(-?\\d{1,18})@(.*)",
			Pattern.DOTALL);

	public FilePosition(String log, long offset) {
		this(log, 0, 0, offset);
	}

	/**
	 * Return the position of a checkpoint, {@link #NONE} if it has another form.
	 */
	public static FilePosition of(LogPosition position) {
		if (position instanceof FilePosition known) {
			return known;
		}
		Matcher text = TEXT.matcher(position.checkpoint().value().toString());
		return text.matches() ? new FilePosition(text.group(4), Long.parseLong(text.group(1)),
				Long.parseLong(text.group(2)), Long.parseLong(text.group(3))) : NONE;
	}

	/**
	 * Return whether both are positions of one log: files were created in the order of
	 * their numbers.
	 */
	@Override
	public boolean isOfLogOf(LogPosition other) {
		return other instanceof FilePosition position && !this.log.isEmpty() && this.log.equals(position.log)
				&& isInOrderWith(position);
	}

	private boolean isInOrderWith(FilePosition other) {
		int files = Long.compare(this.file, other.file);
		int times = Long.compare(this.created, other.created);
		return (files == 0) ? times == 0 : files * times >= 0;
	}

	@Override
	public boolean reaches(LogPosition other) {
		if (!isOfLogOf(other)) {
			throw new LostLogException(ANOTHER_LOG);
		}
		return ORDER.compare(this, (FilePosition) other) >= 0;
	}

	@Override
	public Checkpoint checkpoint() {
		return new Checkpoint(this.file + FILES + this.created + FILES + this.offset + SEPARATOR + this.log);
	}

}
