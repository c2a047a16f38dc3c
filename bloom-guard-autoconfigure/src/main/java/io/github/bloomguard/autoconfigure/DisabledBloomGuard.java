package io.github.bloomguard.autoconfigure;

import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import org.jspecify.annotations.Nullable;

/**
 * Knows nothing and lets everything pass, whatever filter is named.
 */
final class DisabledBloomGuard implements BloomGuard {

	@Override
	public boolean mightContain(String filter, @Nullable Object key) {
		return true;
	}

	@Override
	public Membership membership(String filter, @Nullable Object key) {
		return Membership.UNKNOWN;
	}

	@Override
	public void add(String filter, @Nullable Object... keys) {
	}

	@Override
	public void remove(String filter, @Nullable Object... keys) {
	}

	@Override
	public <T, X extends Throwable> @Nullable T get(String filter, @Nullable Object key,
			Loader<? extends @Nullable T, X> loader) throws X {
		return loader.load();
	}

	@Override
	public CompletableFuture<Void> rebuild(String filter) {
		return CompletableFuture.completedFuture(null);
	}

}
