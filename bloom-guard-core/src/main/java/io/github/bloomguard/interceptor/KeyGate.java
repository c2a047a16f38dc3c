package io.github.bloomguard.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.GuardedFilter;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Asks the filter for the one key of a call.
 */
final class KeyGate extends Gate {

	private static final CompletableFuture<Boolean> ADMITTED = CompletableFuture.completedFuture(Boolean.TRUE);

	private final GuardExpression key;

	KeyGate(GuardOperation operation, GuardExpression key, Supplier<GuardedFilter> filter) {
		super(operation, filter);
		this.key = key;
	}

	@Override
	boolean admits(GuardedCall call) {
		Object key = key(call.invocation());
		Verdict verdict = (key != null) ? check(key) : null;
		return key == null || verdict == null || admits(call, key, verdict);
	}

	@Override
	CompletableFuture<Boolean> admitsAsync(GuardedCall call) {
		Object key = key(call.invocation());
		if (key == null) {
			return ADMITTED;
		}
		try {
			return filter().checkAsync(key).handle((verdict, ex) -> {
				if (ex != null) {
					unchecked(ex);
					return true;
				}
				return admits(call, key, verdict);
			});
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return ADMITTED;
		}
	}

	private boolean admits(GuardedCall call, Object key, Verdict verdict) {
		if (verdict.answered()) {
			if (filter().isAudited(verdict)) {
				audit(key, call::again);
			}
			call.shutBy(this);
			return false;
		}
		call.follow(new KeyPassage(this, key, verdict));
		call.passed(this, verdict);
		return true;
	}

	/**
	 * Return the key of a call, or {@code null} if it is not to be checked.
	 */
	@Nullable Object key(MethodInvocation invocation) {
		try {
			return applies(invocation) ? this.key.evaluate(invocation, null) : null;
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return null;
		}
	}

	/**
	 * Return what the filter says, or {@code null} if it can't be asked.
	 */
	@Nullable Verdict check(Object key) {
		try {
			return filter().check(key);
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return null;
		}
	}

	/**
	 * Tell the filter what a call has returned. A result that can't be looked at is not
	 * reported: neither answer would be true, and one of the two is an alarm.
	 */
	void returned(Object key, Verdict verdict, @Nullable Object result) {
		if (result instanceof CompletionStage<?> stage) {
			stage.whenComplete((value, ex) -> {
				if (ex == null) {
					returned(key, verdict, value);
				}
				else {
					threw(key, verdict, ex);
				}
			});
			return;
		}
		Emptiness emptiness = Emptiness.of(result);
		if (emptiness == Emptiness.UNKNOWN) {
			return;
		}
		try {
			filter().loaded(key, verdict, emptiness == Emptiness.EMPTY);
		}
		catch (RuntimeException ex) {
			failed("results are not reported", ex);
		}
	}

	/**
	 * Tell the filter that a call has failed, if that means that nothing was found.
	 */
	void threw(Object key, Verdict verdict, Throwable failure) {
		if (isMissing(failure)) {
			returned(key, verdict, null);
		}
	}

	/**
	 * A key that may be there.
	 */
	private record KeyPassage(KeyGate gate, Object key, Verdict verdict) implements Passage {

		@Override
		public void returned(@Nullable Object result) {
			this.gate.returned(this.key, this.verdict, result);
		}

		@Override
		public void threw(Throwable failure) {
			this.gate.threw(this.key, this.verdict, failure);
		}

	}

}
