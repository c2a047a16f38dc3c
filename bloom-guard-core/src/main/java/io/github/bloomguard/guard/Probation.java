package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.KeyShape;
import io.github.bloomguard.generation.GenerationalFilter;
import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.core.log.LogMessage;

/**
 * Until enough keys that a filter calls absent have been looked for and not found, it is
 * not believed: calls for such keys go through. A filter whose sources give keys in
 * another form than calls do, or not all of them, would call real rows absent; it is
 * found out here, before anybody was told anything wrong.
 * <p>
 * Concurrency: the calls are counted by the filter, for all instances. {@code examining}
 * is set by the one that looks into a contradiction, and cleared when it is done.
 */
final class Probation {

	private final ThrottledLog refutations = new ThrottledLog(FilterGuard.class);

	private final FilterSettings settings;

	private final GenerationalFilter filter;

	private final FilterLookup lookup;

	private final AtomicBoolean examining = new AtomicBoolean();

	Probation(FilterSettings settings, GenerationalFilter filter, FilterLookup lookup) {
		this.settings = settings;
		this.filter = filter;
		this.lookup = lookup;
	}

	/**
	 * Tell whether the filter has proven itself.
	 */
	boolean isOver() {
		long required = this.settings.proof().calls();
		return required == 0 || this.filter.provingCalls() >= required;
	}

	/**
	 * Keys that were called absent were looked for and not found.
	 */
	void confirm(int keys) {
		this.filter.prove(keys);
	}

	/**
	 * Something was found for keys that were all called absent. If they still are when
	 * they must have been added, the filter is refuted.
	 * @param forms the keys in their one form, at least one
	 */
	void contradict(List<String> forms) {
		if (!this.examining.compareAndSet(false, true)) {
			return;
		}
		Duration grace = this.settings.proof().grace();
		this.filter.clock().after(grace).thenCompose((nothing) -> this.lookup.bounded(forms)).thenAccept((answers) -> {
			if (answers.stream().allMatch(Membership.ABSENT::equals)) {
				refute(forms.get(0));
			}
		}).whenComplete((nothing, failure) -> this.examining.set(false));
	}

	private void refute(String form) {
		this.filter.refute()
			.thenAccept((shapes) -> shapes.ifPresent((loaded) -> this.refutations.error(LogMessage.format(
					"The filter '%s' called a key absent that was found, so it is not believed any more: calls go"
							+ " through until it is rebuilt or acknowledged. The key looks like %s, those that were"
							+ " loaded like %s. Let the sources give keys as the methods are called with them",
					this.settings.name(), KeyShape.of(form), loaded.isEmpty() ? "nothing, there were none" : loaded),
					null)));
	}

}
