package io.github.bloomguard.test;

import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.autoconfigure.KeySources;

/**
 * Gives each filter a source without keys.
 */
final class NoKeys implements KeySources {

	@Override
	public List<KeySource> find(String filter) {
		return List.of(new Empty(filter));
	}

	private record Empty(String filter) implements KeySource {

		@Override
		public Stream<?> keys() {
			return Stream.empty();
		}

	}

}
