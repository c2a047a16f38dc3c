package io.github.bloomguard.guard;

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

	/**
	 * Ask for a key without Redis, unless that is known not to answer.
	 * @return the answer, {@code UNKNOWN} if Redis has to be asked
	 */
	Membership here(String form) {
		return this.gate.permits() ? this.filter.lookupHere(form) : Membership.UNKNOWN;
	}

	/**
	 * Ask for a key, and wait.
	 */
	Membership await(String form, long deadline) {
		Membership here = here(form);
		return (here != Membership.UNKNOWN) ? here : this.gate.await(ask(form), Membership.UNKNOWN, deadline);
	}

	/**
	 * Ask for a key, and take it for unknown if there is no answer in time.
	 */
	CompletableFuture<Membership> bounded(String form, long deadline) {
		Membership here = here(form);
		return (here != Membership.UNKNOWN) ? CompletableFuture.completedFuture(here)
				: this.gate.bounded(ask(form), Membership.UNKNOWN, deadline);
	}

	private CompletableFuture<Membership> ask(String form) {
		return this.gate.ask(() -> this.filter.lookup(form));
	}

	CompletableFuture<List<Membership>> ask(List<String> forms) {
		return forms.isEmpty() ? CompletableFuture.completedFuture(List.of())
				: this.gate.ask(() -> this.filter.lookup(forms));
	}

	/**
	 * Ask for keys, and take them for unknown if there is no answer in time.
	 */
	CompletableFuture<List<Membership>> bounded(List<String> forms) {
		return this.gate.bounded(ask(forms), Collections.nCopies(forms.size(), Membership.UNKNOWN),
				this.gate.deadline());
	}

}
