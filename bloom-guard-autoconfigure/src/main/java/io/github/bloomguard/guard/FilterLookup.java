package io.github.bloomguard.guard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.gate.RedisGate;
import io.github.bloomguard.generation.GenerationalFilter;
import org.jspecify.annotations.Nullable;

/**
 * Asks one filter for keys in their one form, if Redis may be asked.
 */
final class FilterLookup {

	private static final int CHUNK = 1000;

	private final boolean used;

	private final KeyFormat format;

	private final GenerationalFilter filter;

	private final RedisGate gate;

	/**
	 * Create a lookup.
	 * @param used whether the filter is asked at all
	 * @param format gives keys their one form
	 * @param filter the filter
	 * @param gate tells whether Redis may be asked
	 */
	FilterLookup(boolean used, KeyFormat format, GenerationalFilter filter, RedisGate gate) {
		this.used = used;
		this.format = format;
		this.filter = filter;
		this.gate = gate;
	}

	/**
	 * Return the form of a key that the filter is to be asked for, {@code null} if it is
	 * not.
	 */
	@Nullable String form(@Nullable Object key) {
		return (key == null || !this.used) ? null : this.format.format(key);
	}

	List<@Nullable String> forms(List<? extends @Nullable Object> keys) {
		List<@Nullable String> forms = new ArrayList<>(keys.size());
		for (Object key : keys) {
			forms.add(form(key));
		}
		return forms;
	}

	static List<String> asked(List<@Nullable String> forms) {
		List<String> asked = new ArrayList<>(forms.size());
		for (String form : forms) {
			if (form != null) {
				asked.add(form);
			}
		}
		return asked;
	}

	static List<Membership> unknown(List<String> asked) {
		return Collections.nCopies(asked.size(), Membership.UNKNOWN);
	}

	CompletableFuture<Membership> ask(String form) {
		return this.gate.ask(() -> this.filter.lookup(form));
	}

	CompletableFuture<List<Membership>> ask(List<String> forms) {
		if (forms.size() <= CHUNK) {
			return forms.isEmpty() ? CompletableFuture.completedFuture(List.of())
					: this.gate.ask(() -> this.filter.lookup(forms));
		}
		return ask(forms.subList(0, CHUNK)).thenCombine(ask(forms.subList(CHUNK, forms.size())), (first, rest) -> {
			List<Membership> all = new ArrayList<>(first);
			all.addAll(rest);
			return all;
		});
	}

	/**
	 * Ask for a key, and take it for unknown if there is no answer in time.
	 */
	CompletableFuture<Membership> bounded(String form) {
		return this.gate.bounded(ask(form), Membership.UNKNOWN);
	}

}
