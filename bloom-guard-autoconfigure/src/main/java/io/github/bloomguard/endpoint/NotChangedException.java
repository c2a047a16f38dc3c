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

package io.github.bloomguard.endpoint;

/**
 * Thrown if a filter could not be changed for all instances, because Redis does not
 * answer.
 */
class NotChangedException extends IllegalStateException {

	NotChangedException(String filter, Throwable cause) {
		super("The filter '" + filter + "' could not be changed, because Redis does not answer. Calls go through"
				+ " while it does not; it may be changed all the same when Redis answers again", cause);
	}

}
