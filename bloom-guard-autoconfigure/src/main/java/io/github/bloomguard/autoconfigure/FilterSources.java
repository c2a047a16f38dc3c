package io.github.bloomguard.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.catchup.Marks;
import io.github.bloomguard.catchup.StartMark;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.warmup.SourceScan;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Where the keys of an application's filters come from, and in which form.
 */
final class FilterSources {

	private final String application;

	private final List<KeyConverter<?>> converters;

	private final KeyFormat format;

	private final KeySources keySources;

	private final ObjectProvider<QuerySources> querySources;

	FilterSources(String application, List<KeyConverter<?>> converters, KeyFormat format, KeySources keySources,
			ObjectProvider<QuerySources> querySources) {
		this.application = application;
		this.converters = converters;
		this.format = format;
		this.keySources = keySources;
		this.querySources = querySources;
	}

	/**
	 * Return the sources of all keys of a filter.
	 */
	List<KeySource> keys(String name) {
		return this.keySources.find(name);
	}

	/**
	 * Return the source of the keys of rows that others write.
	 */
	CatchUpSource changes(CatchUpSpecification catchUp, BloomGuardProperties.Filter filter) {
		return ConfiguredKeySources.require(this.querySources, catchUp.filter(), "catch-up.query", "remove the query")
			.changes(catchUp, filter.warmUp().fetchSize());
	}

	/**
	 * Return what reads all keys of a filter.
	 * @param changes the source to catch up with afterwards, {@code null} for none
	 * @param marks say from where
	 */
	SourceScan scan(String name, List<KeySource> keys, @Nullable CatchUpSource changes, Marks marks) {
		return new SourceScan(name, keys, this.format,
				(changes != null) ? new StartMark(changes, marks)::set : (generation) -> {
				});
	}

	String origin(List<KeySource> keys, @Nullable CatchUpSpecification catchUp) {
		return KeyOrigin.of(this.application, keys, this.converters, catchUp);
	}

}
