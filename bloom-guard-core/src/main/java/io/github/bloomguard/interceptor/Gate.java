package io.github.bloomguard.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.bloomguard.Loader;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.logging.ThrottledLog;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * An operation and its filter, which a call has to pass. If the guard can't decide, for
 * whatever reason, the call passes.
 */
abstract sealed class Gate permits KeyGate, KeysGate {

	private final ThrottledLog failures = new ThrottledLog(Gate.class);

	private final GuardOperation operation;

	private final Supplier<GuardedFilter> filter;

	/**
	 * Create a gate.
	 * @param operation what the annotation asks for
	 * @param filter gives the filter, always the same one; asked by calls only
	 */
	Gate(GuardOperation operation, Supplier<GuardedFilter> filter) {
		this.operation = operation;
		this.filter = filter;
	}

	static Gate of(GuardOperation operation, Supplier<GuardedFilter> filter) {
		if (operation.keys() != null) {
			return new KeysGate(operation, operation.keys(), filter);
		}
		if (operation.key() != null) {
			return new KeyGate(operation, operation.key(), filter);
		}
		throw new IllegalArgumentException("Neither 'key' nor 'keys' is given");
	}

	/**
	 * Decide whether a call passes.
	 */
	abstract boolean admits(GuardedCall call);

	/**
	 * Decide whether a call passes, without waiting.
	 * @return never completed exceptionally
	 */
	abstract CompletableFuture<Boolean> admitsAsync(GuardedCall call);

	final GuardedFilter filter() {
		return this.filter.get();
	}

	final boolean applies(MethodInvocation invocation) {
		GuardExpression condition = this.operation.condition();
		return condition == null || condition.holds(invocation, null);
	}

	/**
	 * Tell whether what does not pass gets an exception, and never an empty value.
	 */
	final boolean throwsMissing() {
		return this.operation.missing() != null;
	}

	/**
	 * Tell whether a method has failed because it has found nothing.
	 */
	final boolean isMissing(Throwable failure) {
		Missing missing = this.operation.missing();
		return missing != null && missing.isCauseOf(failure);
	}

	/**
	 * Answer a call that does not pass.
	 * @param empty the empty value, unless an exception is to be thrown
	 */
	final @Nullable Object answer(EmptyValue empty, MethodInvocation invocation) {
		Missing missing = this.operation.missing();
		return (missing != null) ? empty.fail(missing.exception()) : empty.get(invocation.getArguments());
	}

	/**
	 * Let a call be made in the background that is answered.
	 */
	final void audit(Object key, Supplier<? extends Loader<CompletionStage<Boolean>, ?>> call) {
		try {
			Loader<CompletionStage<Boolean>, ?> loader = call.get();
			filter().audit(key, () -> found(loader));
		}
		catch (RuntimeException ex) {
			failed("answers are not audited", ex);
		}
	}

	private CompletionStage<Boolean> found(Loader<CompletionStage<Boolean>, ?> loader) {
		CompletionStage<Boolean> found;
		try {
			found = loader.load();
		}
		catch (Throwable ex) {
			found = CompletableFuture.failedStage(ex);
		}
		return found.exceptionallyCompose((ex) -> isMissing(ex) ? CompletableFuture.completedStage(Boolean.FALSE)
				: CompletableFuture.failedStage(ex));
	}

	/**
	 * Note that a call passes because it can't be checked.
	 */
	final void unchecked(Throwable cause) {
		failed("calls go through unchecked", cause);
		try {
			filter().unchecked();
		}
		catch (RuntimeException ex) {
			failed("unchecked calls can't be counted", ex);
		}
	}

	final void failed(String consequence, Throwable cause) {
		this.failures.error(
				LogMessage.of(() -> this.operation.declaration() + " failed (" + describe() + "), so " + consequence),
				cause);
	}

	private String describe() {
		GuardExpression condition = this.operation.condition();
		KeysParameter keys = this.operation.keys();
		String selection = (keys != null) ? "keys: " + keys : "key: " + this.operation.key();
		return "filter: " + this.operation.filter() + ", " + selection
				+ ((condition != null) ? ", condition: " + condition : "");
	}

	/**
	 * What a gate wants to know of a call that it has let pass.
	 */
	interface Passage {

		/**
		 * The method has returned.
		 */
		void returned(@Nullable Object result);

		/**
		 * The method has failed.
		 */
		void threw(Throwable failure);

	}

}
