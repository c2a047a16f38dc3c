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

import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;

/**
 * Preview of a call for one key.
 *
 * @param answered whether the call would be answered with nothing, without the method
 */
public record KeyReport(Membership membership, boolean answered) {

	static KeyReport of(Verdict verdict) {
		return new KeyReport(verdict.membership(), verdict.answered());
	}

}
