package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.InvalidGuardException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Tells what to write instead.
 */
class InvalidGuardFailureAnalyzer extends AbstractFailureAnalyzer<InvalidGuardException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidGuardException cause) {
		return new FailureAnalysis(cause.getProblem() + ".", cause.getRemedy() + ".", cause);
	}

}
