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

package io.github.bloomguard.instance;

import java.time.Duration;

/**
 * More keys are added together than can be in the time that an add may take. A builder
 * replays the journal from so long before its scan, so keys that are added earlier might
 * be forgotten before their rows are committed.
 */
public class TooManyKeysException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * @param needed how long all of them would take
	 * @param longest how long an add may take
	 * @param most how many can be added in that time
	 */
	TooManyKeysException(int keys, Duration needed, Duration longest, long most) {
		super(String.format(
				"%d are too many to be added together: at the present pace they take about %d s, and all keys of a call"
						+ " or transaction have to be added within %d s. Add at most %d together, or raise"
						+ " bloom-guard.add-timeout to the time that they take",
				keys, needed.toSeconds(), longest.toSeconds(), most));
	}

}
