package io.github.bloomguard.endpoint;

import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;

/**
 * What would happen to a call for one key.
 *
 * @param membership what the filter says
 * @param answered whether the call would be answered with nothing, so that the method is
 * not called
 * @since 0.1.0
 */
public record KeyReport(Membership membership, boolean answered) {

	static KeyReport of(Verdict verdict) {
		return new KeyReport(verdict.membership(), verdict.answered());
	}

}
