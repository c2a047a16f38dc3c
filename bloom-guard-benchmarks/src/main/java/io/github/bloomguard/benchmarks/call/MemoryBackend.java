package io.github.bloomguard.benchmarks.call;

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.catchup.Marks;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * Keeps everything where another backend does, but answers lookups itself.
 *
 * @param delegate the other backend
 */
record MemoryBackend(FilterBackend delegate) implements FilterBackend {

	@Override
	public FilterStore filters() {
		return new MemoryFilterStore(this.delegate.filters());
	}

	@Override
	public ControlStore control(BackendSettings settings) {
		return this.delegate.control(settings);
	}

	@Override
	public EmptySentinels sentinels(BackendSettings settings) {
		return this.delegate.sentinels(settings);
	}

	@Override
	public Marks marks(BackendSettings settings) {
		return this.delegate.marks(settings);
	}

}
