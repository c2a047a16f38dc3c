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

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.cache.NullEntries;
import io.github.bloomguard.call.FilterUser;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.interceptor.GuardedMethods;
import io.github.bloomguard.jdbc.TableAdds;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.core.env.Environment;
import org.springframework.core.log.LogMessage;
import org.springframework.util.ClassUtils;

/**
 * Warns of filters that no method uses or that nothing adds to, of caches whose null
 * entries hide new rows, as {@code caches} does not name them or may misspell them, of
 * names that mean nothing, and of methods that look for another entity; refuses caches
 * whose null entries can't be cleared.
 */
record FilterUseCheck(GuardedMethods methods, ObjectProvider<BloomGuardProperties> properties,
		ObjectProvider<CacheOperationSource> caching, ObjectProvider<NullEntries> nullEntries,
		ConfigurableListableBeanFactory beans) implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(FilterUseCheck.class);

	@Override
	public void afterSingletonsInstantiated() {
		this.properties.ifAvailable((all) -> all.filters().forEach(this::check));
	}

	private void check(String name, BloomGuardProperties.Filter filter) {
		boolean lazy = this.beans.getBean(Environment.class)
			.getProperty("spring.main.lazy-initialization", boolean.class, false);
		if (!lazy && !this.methods.areThere(name, BloomGuarded.class) && !isGuardAsked() && !isAskedOtherwise()) {
			logger.warn(LogMessage.format(
					"No method is guarded by the filter '%s', unless a bean that is made later has one: annotate one with"
							+ " @BloomGuarded(filter = \"%s\"), ask the bean BloomGuard, or remove bloom-guard.filters.%s",
					name, name, name));
		}
		else if (!lazy && isFilledByItsSourceAlone(name, filter)) {
			logger.warn(LogMessage
				.format("The guard sees nothing that adds keys to the filter '%s', so a new row is missing until"
						+ " verification finds it. Annotate what inserts rows with @BloomAdd(filter = \"%s\"), inject BloomGuard, or set changes, catch-up"
						+ " or rebuild.interval, unless other applications add them", name, name));
		}
		if (filter.owner() != null) {
			checkWrites(name);
		}
		if (!lazy && filter.table() != null && !filter.warmUp().allowRoutingDataSource()) {
			this.beans.getBean(EntitySources.class).checkTable(name);
		}
		String entity = filter.entity();
		if (entity != null && ClassUtils.isPresent(entity, null)) {
			checkEntity(name, ClassUtils.resolveClassName(entity, null));
		}
		this.nullEntries.ifAvailable((nulls) -> checkNulls(name, filter.caches(), nulls));
		if (filter.caches().isEmpty()) {
			return;
		}
		if (this.caching.stream().findAny().isEmpty()) {
			logger.warn(LogMessage.format("bloom-guard.filters.%s.caches names %s, but caching is not enabled: add"
					+ " @EnableCaching, or remove the property", name, filter.caches()));
		}
		this.methods.checkCacheKeys(name, filter.caches());
		if (!MemoryBackend.TYPE.equals(filter.type())) {
			this.nullEntries.ifAvailable((nulls) -> refuse(name, nulls.notKnownToBeShared(name)));
		}
		Set<String> known = this.methods.caches(name);
		for (String cache : filter.caches()) {
			if (!known.isEmpty() && !known.contains(cache)) {
				logger.warn(LogMessage.format(
						"bloom-guard.filters.%s.caches names '%s', but the methods that the filter guards are cached in %s",
						name, cache, known));
			}
		}
	}

	private boolean isFilledByItsSourceAlone(String name, BloomGuardProperties.Filter filter) {
		boolean queried = filter.warmUp().query() != null
				|| (filter.table() != null && this.beans.getBeanNamesForType(TableAdds.class).length == 0);
		return queried && filter.entity() == null && filter.mode() == FilterMode.ENFORCE
				&& filter.verification().mode() != Mode.BEFORE && !filter.changes().enabled()
				&& filter.catchUp().query() == null && filter.rebuild().interval() == null
				&& filter.rebuild().cron() == null && !this.methods.areThere(name, BloomAdd.class) && !isGuardAsked();
	}

	/**
	 * Return whether a bean has the bean {@code BloomGuard}, by which it may use each
	 * filter.
	 */
	private boolean isGuardAsked() {
		return this.beans.getDependentBeans("bloomGuard").length > 0;
	}

	/**
	 * Return whether there is something but methods that may ask each filter.
	 */
	private boolean isAskedOtherwise() {
		return this.beans.getBeanNamesForType(FilterUser.class, true, false).length > 0;
	}

	private void checkWrites(String filter) {
		this.beans.getBeanProvider(ManagedFilters.class).ifAvailable((filters) -> {
			ManagedFilter managed = filters.find(filter);
			if (managed != null) {
				new ReaderWrites(this.methods).check(managed);
			}
		});
	}

	private void checkNulls(String filter, List<String> caches, NullEntries nullEntries) {
		List<String> hiding = nullEntries
			.keptBy(this.methods.cachesOfNulls(filter).stream().filter(Predicate.not(caches::contains)).toList());
		if (!hiding.isEmpty()) {
			logger.warn(LogMessage.format(
					"The filter '%s' guards a method that is cached in %s, which bloom-guard.filters.%s.caches does not"
							+ " name: a null value there hides a row that is added later until it expires. Name it there,"
							+ " or write unless = \"#result == null\" in @Cacheable",
					filter, hiding, filter));
		}
	}

	private void checkEntity(String filter, Class<?> entity) {
		this.methods.entitiesFoundById(filter)
			.stream()
			.filter((found) -> !found.isAssignableFrom(entity) && !entity.isAssignableFrom(found))
			.forEach((found) -> logger.warn(LogMessage.format(
					"The filter '%s' has the keys of %s, but guards a method that finds %s by its id: unless both have the"
							+ " same ids, let @BloomGuarded name another filter, or the rows that there are will be missing",
					filter, entity.getName(), found.getName())));
	}

	private static void refuse(String filter, List<String> unshared) {
		if (!unshared.isEmpty()) {
			throw new InvalidGuardException(
					"bloom-guard.filters." + filter + ".caches names " + unshared
							+ ", not known to be in Redis: if each"
							+ " instance keeps its own, null values there go on hiding rows that other instances add",
					"Take it out of the property and write unless = \"#result == null\" in @Cacheable, disallow null"
							+ " values in the cache manager, or keep the cache in Redis. If all instances share it, a bean of"
							+ " type AddedKeysListener may clear it instead");
		}
	}

}
