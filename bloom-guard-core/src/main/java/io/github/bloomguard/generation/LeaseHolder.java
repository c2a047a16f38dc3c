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

/**
 * One mirror of one filter. Each of the same instance has another incarnation.
 */
public record LeaseHolder(String instance, String incarnation) {

	/**
	 * Begins the incarnation of a mirror in an application that only asks the filter.
	 */
	private static final String READER = "reader-";

	/**
	 * Return a holder that has not been there before.
	 * @param reader whether it is in an application that only asks the filter
	 */
	public static LeaseHolder next(String instance, boolean reader) {
		return new LeaseHolder(instance, (reader ? READER : "") + Generation.randomHex(8));
	}

	public boolean isOfReader() {
		return this.incarnation.startsWith(READER);
	}

	@Override
	public String toString() {
		return this.instance + "/" + this.incarnation;
	}

}
