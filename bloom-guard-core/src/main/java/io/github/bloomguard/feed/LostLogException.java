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

/**
 * A part of the log can't be read, so the filter has to be loaded again, from behind it.
 */
public final class LostLogException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public LostLogException(String reason) {
		super(reason);
	}

	public LostLogException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
