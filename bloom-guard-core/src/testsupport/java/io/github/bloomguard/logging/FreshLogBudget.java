package io.github.bloomguard.logging;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets each test write to the log as if those before it had not.
 */
public final class FreshLogBudget implements BeforeEachCallback {

	@Override
	public void beforeEach(ExtensionContext context) {
		LogBudget.SHARED.clear();
	}

}
