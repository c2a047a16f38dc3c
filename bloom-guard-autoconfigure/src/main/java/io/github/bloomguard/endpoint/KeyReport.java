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

import java.util.List;

import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;

/**
 * What would happen to a call for one key, and why.
 *
 * @param membership what the filter says
 * @param uncertain whether the filter lets the key pass whatever it holds, because the
 * database may find a row for it under another form: one that is not of the type of the
 * column
 * @param answered whether the call would be answered with nothing by the filter, without
 * the method
 * @param remembered whether an empty sentinel would answer a call of some method
 * @param nullEntries the caches of the filter that have a null value for the key
 * @param source what the source says now
 */
public record KeyReport(Membership membership, boolean uncertain, boolean answered, boolean remembered,
		List<String> nullEntries, Source source) {

	static KeyReport of(GuardedFilter filter, Object key, List<String> nullEntries) {
		Decision verdict = filter.preview(key);
		Source source = switch (filter.lookUp(key)) {
			case MAYBE -> Source.FOUND;
			case ABSENT -> Source.NOT_FOUND;
			case UNKNOWN -> Source.UNKNOWN;
		};
		return new KeyReport(verdict.membership(), verdict.uncertain(), verdict.answered(), filter.isRemembered(key),
				nullEntries, source);
	}

	/**
	 * What the source of a filter says of a key.
	 */
	public enum Source {

		/** There is such a row. */
		FOUND,

		/** There is none. */
		NOT_FOUND,

		/** It can't tell, or does not answer in time. */
		UNKNOWN

	}

}
