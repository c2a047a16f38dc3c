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

package io.github.bloomguard;

/**
 * Answer of a filter about a key. There are three, not two: a filter that is not whole
 * knows nothing, and must not be taken for one that says no.
 *
 * @since 1.0.0
 */
public enum Membership {

	/**
	 * The key was in no row when the question was asked. Given only by a filter whose
	 * warm-up has finished and whose bits are all still there.
	 */
	ABSENT,

	/**
	 * The key may exist; wrong at most as often as the false-positive probability says.
	 */
	MAYBE,

	/**
	 * The filter can't tell: it is warming up, lost or unreachable, or the key is
	 * {@code null}. Treat it as {@link #MAYBE}.
	 */
	UNKNOWN

}
