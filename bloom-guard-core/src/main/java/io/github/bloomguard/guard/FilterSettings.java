package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.filter.FilterSpecification;

/**
 * How one filter is used.
 *
 * @param specification the name and the size
 * @param mode what is done with its answers
 * @param emptyTtl how long a key that was not found is remembered, zero for not at all
 * @param adding how keys are added
 * @param onStartup when keys are loaded at the start of the application
 * @param blocking whether the application is not ready before the filter is
 * @param rebuild when its generation is replaced
 * @param maxConcurrentLoads how many calls may load at the same time while the filter
 * can't tell, 0 for any number
 * @param auditSampleRate the share of definite misses for which the method is called all
 * the same
 * @param proof when the filter is believed
 * @since 0.1.0
 */
public record FilterSettings(FilterSpecification specification, FilterMode mode, Duration emptyTtl, Adding adding,
		OnStartup onStartup, boolean blocking, RebuildPolicy rebuild, int maxConcurrentLoads, double auditSampleRate,
		Proof proof) {

	/**
	 * Return the name of the filter.
	 * @return the name
	 */
	public String name() {
		return this.specification.filter();
	}

	/**
	 * How keys are added.
	 *
	 * @param timeout the longest wait, after which adding has failed
	 * @param failure what happens then
	 * @param caches the names of the Spring caches whose null entries an added key must
	 * clear
	 */
	public record Adding(Duration timeout, AddFailure failure, List<String> caches) {

	}

	/**
	 * When a filter is believed.
	 *
	 * @param calls how many keys that it calls absent have to be looked for and not found
	 * before, 0 if it is believed at once
	 * @param grace for how long a row may be there before its key is
	 */
	public record Proof(int calls, Duration grace) {

	}

	/**
	 * What happens if a key can't be added.
	 */
	public enum AddFailure {

		/**
		 * The call that adds it fails, and with it the transaction.
		 */
		FAIL,

		/**
		 * The call goes on, and the filter is not trusted until it has been rebuilt. Only
		 * this instance knows as long as Redis can't be reached.
		 */
		MISTRUST

	}

	/**
	 * When keys are loaded at the start of the application.
	 */
	public enum OnStartup {

		/**
		 * If there is no intact generation of the configured size.
		 */
		IF_MISSING,

		/**
		 * Each time; an intact generation answers until the new one is complete.
		 */
		ALWAYS,

		/**
		 * Only when it is asked for, or when the filter has been lost.
		 */
		NEVER

	}

}
