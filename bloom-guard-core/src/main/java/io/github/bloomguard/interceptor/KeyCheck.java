package io.github.bloomguard.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.GuardedFilter;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Asks the filter for the one key of a call.
 */
final class KeyCheck extends FilterCheck {

	private static final CompletableFuture<Boolean> PASSED = CompletableFuture.completedFuture(Boolean.TRUE);

	private final GuardExpression key;

	KeyCheck(GuardOperation operation, GuardExpression key, Supplier<GuardedFilter> filter) {
		super(operation, filter);
		this.key = key;
	}

	@Override
	boolean passes(GuardedCall call) {
		Object key = key(call.invocation());
		if (key == null) {
			return true;
		}
		Verdict verdict;
		try {
			verdict = filter().check(key);
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return true;
		}
		return passes(call, key, verdict);
	}

	@Override
	CompletableFuture<Boolean> passesAsync(GuardedCall call) {
		Object key = key(call.invocation());
		if (key == null) {
			return PASSED;
		}
		try {
			return filter().checkAsync(key).handle((verdict, ex) -> {
				if (ex != null) {
					unchecked(ex);
					return true;
				}
				return passes(call, key, verdict);
			});
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return PASSED;
		}
	}

	/**
	 * Return the key of a call, or {@code null} if it is not to be checked.
	 */
	private @Nullable Object key(MethodInvocation invocation) {
		try {
			return applies(invocation) ? this.key.evaluate(invocation, null) : null;
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return null;
		}
	}

	private boolean passes(GuardedCall call, Object key, Verdict verdict) {
		if (verdict.answered()) {
			if (filter().isAudited(verdict)) {
				audit(key, call::auditCall);
			}
			call.answeredBy(this);
			return false;
		}
		call.passed(this, verdict, new KeyPassage(this, key, verdict));
		return true;
	}

	/**
	 * A key that may be there.
	 */
	private record KeyPassage(KeyCheck check, Object key, Verdict verdict) implements Passage {

		@Override
		public ResultContent content(@Nullable Object result) {
			return ResultContent.of(result);
		}

		@Override
		public void loaded(GuardedFilter filter, boolean empty) {
			filter.loaded(this.key, this.verdict, empty);
		}

	}

}
