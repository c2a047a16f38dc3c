package io.github.bloomguard.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The {@link KeySource} beans of a filter, and its query.
 */
final class ConfiguredKeySources implements KeySources {

	private final Map<String, BloomGuardProperties.Filter> filters;

	private final ObjectProvider<KeySource> beans;

	private final ObjectProvider<QueryKeySources> queries;

	ConfiguredKeySources(BloomGuardProperties properties, ObjectProvider<KeySource> beans,
			ObjectProvider<QueryKeySources> queries) {
		this.filters = properties.filters();
		this.beans = beans;
		this.queries = queries;
	}

	@Override
	public List<KeySource> find(String name) {
		BloomGuardProperties.Filter filter = Objects.requireNonNull(this.filters.get(name));
		List<KeySource> sources = new ArrayList<>(
				this.beans.orderedStream().filter((source) -> source.filter().equals(name)).toList());
		String query = filter.warmUp().query();
		if (query != null) {
			sources.add(querySources(name).create(name, filter.warmUp(), query));
		}
		if (sources.isEmpty() && filter.mode() != FilterMode.OFF) {
			throw new InvalidGuardException("The filter '" + name + "' has no source of keys",
					"Set bloom-guard.filters." + name + ".warm-up.query to a query that gives all keys, or declare a"
							+ " KeySource bean whose filter() is '" + name
							+ "' (an empty stream if there are no rows yet)");
		}
		return sources;
	}

	private QueryKeySources querySources(String name) {
		QueryKeySources sources = this.queries.getIfAvailable();
		if (sources == null) {
			throw new InvalidGuardException(
					"bloom-guard.filters." + name + ".warm-up.query is set, but there is no JDBC",
					"Add spring-boot-starter-jdbc, or declare a KeySource bean");
		}
		return sources;
	}

}
