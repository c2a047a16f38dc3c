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

package io.github.bloomguard.test;

import java.util.Collection;
import java.util.List;

import io.github.bloomguard.cache.FilterCaches;
import io.github.bloomguard.cache.NullEntries;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cache.CacheManager;
import org.springframework.core.log.LogMessage;

/**
 * Lets keys be added where the Redis of the caches is not running: then there are no null
 * entries either.
 */
final class NullEntriesWithoutRedis extends NullEntries {

	private static final Log logger = LogFactory.getLog(NullEntriesWithoutRedis.class);

	NullEntriesWithoutRedis(ObjectProvider<CacheManager> cacheManagers, ObjectProvider<FilterCaches> caches) {
		super(cacheManagers::orderedStream, caches::getObject);
	}

	@Override
	protected void forget(List<String> caches, Collection<?> keys) {
		try {
			super.forget(caches, keys);
		}
		catch (RuntimeException ex) {
			logger.debug(LogMessage.format("The caches %s have no null entries that could be cleared", caches), ex);
		}
	}

}
