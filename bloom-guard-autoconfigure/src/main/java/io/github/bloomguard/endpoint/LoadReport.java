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

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.advisor.LoadOutcome;
import io.github.bloomguard.advisor.ObservedMethod;
import io.github.bloomguard.advisor.Suggestion;
import org.jspecify.annotations.Nullable;

/**
 * Results of the loads of one method in this instance, and the filter that would spare
 * the empty ones.
 *
 * @param watchedBy the filter that the method is annotated with
 * @param worthFilter whether a filter would spare enough: a thousand loads, and a tenth
 * of all
 */
public record LoadReport(List<String> caches, @Nullable String watchedBy, Loads found, Loads empty, Loads failed,
		double emptyShare, double emptyPerSecond, boolean worthFilter, Suggestion suggestion) {

	static LoadReport of(ObservedMethod method) {
		return new LoadReport(method.caches(), method.watchedBy(), Loads.of(method, LoadOutcome.FOUND),
				Loads.of(method, LoadOutcome.EMPTY), Loads.of(method, LoadOutcome.FAILED), method.emptyShare(),
				method.emptyPerSecond(), method.isWorthFilter(), method.suggestion());
	}

	/**
	 * Loads that have ended alike.
	 *
	 * @param keys for about how many different keys
	 */
	public record Loads(long count, long keys, Duration meanDuration) {

		static Loads of(ObservedMethod method, LoadOutcome outcome) {
			long count = method.count(outcome);
			return new Loads(count, Math.min(count, method.keys(outcome)),
					method.time(outcome).dividedBy(Math.max(1, count)));
		}

	}

}
