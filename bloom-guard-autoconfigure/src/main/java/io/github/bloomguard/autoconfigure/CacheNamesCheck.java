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

package io.github.bloomguard.autoconfigure;

import java.util.Set;

import io.github.bloomguard.interceptor.GuardOperationSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.log.LogMessage;

/**
 * Warns of a name in {@code caches} that may be misspelled, so that null entries of the
 * meant cache would hide new rows; refuses caches whose null entries can't be cleared.
 */
class CacheNamesCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(CacheNamesCheck.class);

	private final GuardOperationSource source;

	private final ObjectProvider<BloomGuardProperties> properties;

	CacheNamesCheck(GuardOperationSource source, ObjectProvider<BloomGuardProperties> properties) {
		this.source = source;
		this.properties = properties;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.properties.ifAvailable((all) -> all.filters().forEach(this::check));
	}

	private void check(String name, BloomGuardProperties.Filter filter) {
		if (filter.caches().isEmpty()) {
			return;
		}
		this.source.checkCacheKeys(name, filter.caches());
		Set<String> known = this.source.caches(name);
		for (String cache : filter.caches()) {
			if (!known.isEmpty() && !known.contains(cache)) {
				logger.warn(LogMessage.format(
						"bloom-guard.filters.%s.caches names '%s', but the methods that the filter guards are cached in %s",
						name, cache, known));
			}
		}
	}

}
