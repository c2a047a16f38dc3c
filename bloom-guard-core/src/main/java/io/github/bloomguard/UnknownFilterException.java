package io.github.bloomguard;

import java.util.Collection;

/**
 * A filter was named that is not configured.
 *
 * @since 0.1.0
 */
public class UnknownFilterException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception that names what there is instead.
	 * @param name the name that was used
	 * @param known the names that are configured
	 */
	public UnknownFilterException(String name, Collection<String> known) {
		super("No filter '" + name + "' is configured under bloom-guard.filters; there "
				+ (known.isEmpty() ? "is none" : "are " + known), null);
	}

}
