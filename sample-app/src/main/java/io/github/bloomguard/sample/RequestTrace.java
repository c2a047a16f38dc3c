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

package io.github.bloomguard.sample;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Notes in the current request who has answered it. The guard tells its verdicts, the
 * repository its statements; what neither of them had a part in came from the cache.
 */
@Component
class RequestTrace implements BloomGuardListener {

	private static final String ATTRIBUTE = RequestTrace.class.getName();

	@Override
	public void onVerdict(String filter, Verdict verdict) {
		if (verdict.answered()) {
			note((verdict.membership() == Membership.ABSENT) ? ServedBy.FILTER : ServedBy.SENTINEL);
		}
	}

	void reachedDatabase() {
		note(ServedBy.DATABASE);
	}

	/**
	 * Tell who has answered a request for one product.
	 * @param product what was found
	 * @return who has found it, or has known that there is nothing to find
	 */
	ServedBy servedBy(@Nullable Product product) {
		RequestAttributes request = RequestContextHolder.currentRequestAttributes();
		if (request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST) instanceof ServedBy noted) {
			return noted;
		}
		// a null that came without a verdict and without a query was held by the cache
		return (product != null) ? ServedBy.CACHE : ServedBy.SENTINEL;
	}

	/**
	 * Tell who has answered a request for many products, which are not cached.
	 * @return the database if anything was left to ask it for
	 */
	ServedBy servedBy() {
		RequestAttributes request = RequestContextHolder.currentRequestAttributes();
		Object noted = request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
		return (noted == ServedBy.DATABASE) ? ServedBy.DATABASE : ServedBy.FILTER;
	}

	private static void note(ServedBy servedBy) {
		RequestAttributes request = RequestContextHolder.getRequestAttributes();
		if (request != null) {
			request.setAttribute(ATTRIBUTE, servedBy, RequestAttributes.SCOPE_REQUEST);
		}
	}

}
