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

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.catchup.ChangeFeed;
import io.github.bloomguard.catchup.FeedSpecification;
import io.github.bloomguard.feed.FeedDefinition;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.guard.FilterBuilder;
import io.github.bloomguard.guard.GuardEnvironment;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.guard.ReaderBuilder;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.source.FilterSources;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Translates properties into filters.
 */
record ConfiguredFilters(GuardEnvironment environment, FilterBackends backends, KeySources keySources,
		ObjectProvider<QuerySources> querySources, EntitySources entities, ChangeFeeds feeds) {

	ManagedFilters create(BloomGuardProperties properties) {
		return new ManagedFilters(properties.filters()
			.entrySet()
			.stream()
			.map((filter) -> (filter.getValue().owner() != null)
					? reader(filter.getKey(), filter.getValue(), filter.getValue().owner(), properties)
					: create(filter.getKey(), filter.getValue(), properties.addTimeout()))
			.toList());
	}

	private ManagedFilter reader(String name, BloomGuardProperties.Filter filter, String owner,
			BloomGuardProperties properties) {
		new ReaderCheck(name, owner, this.environment.application(), filter, properties.defaults())
			.check(this.keySources);
		FilterSettings settings = filter.readerSettings(name, properties.addTimeout());
		return new ReaderBuilder(this.environment, settings, owner, this.backends.get(settings),
				this.backends.breaker(settings.type()))
			.build();
	}

	private ManagedFilter create(String name, BloomGuardProperties.Filter filter, Duration addTimeout) {
		CatchUpSpecification catchUp = CatchUpSpecification.of(name, filter.catchUp().query(), filter.catchUp().start(),
				filter.catchUp().interval());
		Duration grace = (catchUp != null) ? catchUp.interval().multipliedBy(2) : Duration.ZERO;
		FilterSettings settings = filter.settings(name, addTimeout, grace);
		List<KeySource> keys = this.keySources.find(name);
		FeedSpecification log = this.feeds.specification(name, filter, keys.size() == 1, catchUp != null);
		FeedDefinition feed = null;
		if (catchUp != null) {
			feed = ChangeFeed.polling(catchUp, changes(catchUp, filter));
		}
		if (log != null) {
			feed = ChangeFeed.following(log, this.feeds.log(log, filter));
		}
		return new FilterBuilder(this.environment, settings, this.backends.get(settings),
				this.backends.breaker(settings.type()),
				new FilterSources(keys, haveTenants(keys, filter), filter.ignored(), feed))
			.build();
	}

	/**
	 * Return whether a bean gives keys of a database of which each caller may see another
	 * part, for all that is known: one that routes, or has tenants.
	 */
	private boolean haveTenants(List<KeySource> keys, BloomGuardProperties.Filter filter) {
		long configured = Stream.of(filter.entity(), filter.table(), filter.warmUp().query())
			.filter(Objects::nonNull)
			.count();
		return keys.size() > configured && !filter.warmUp().allowRoutingDataSource()
				&& (this.entities.haveTenants() || this.querySources.stream().anyMatch(QuerySources::areRouted));
	}

	private CatchUpSource changes(CatchUpSpecification catchUp, BloomGuardProperties.Filter filter) {
		return ConfiguredKeySources
			.requireJdbc(this.querySources, catchUp.filter(), "catch-up.query", "remove the query")
			.changes(catchUp, filter.warmUp());
	}

}
