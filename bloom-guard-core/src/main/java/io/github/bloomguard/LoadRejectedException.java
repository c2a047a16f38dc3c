package io.github.bloomguard;

/**
 * A call was not let through, because the filter can't tell and as many calls as are
 * allowed are loading already. It may be repeated later.
 *
 * @since 0.1.0
 */
public class LoadRejectedException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception that names the property.
	 * @param filter the name of the filter
	 * @param state the state that it is in
	 * @param limit how many calls may load at the same time
	 */
	public LoadRejectedException(String filter, FilterState state, int limit) {
		super("The filter '" + filter + "' can't tell (it is " + state + "), and " + limit
				+ " calls are loading already: as many as bloom-guard.filters." + filter
				+ ".fallback.max-concurrent-loads allows", null);
	}

}
