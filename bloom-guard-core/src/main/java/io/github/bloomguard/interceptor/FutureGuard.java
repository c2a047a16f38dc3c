package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Guards a method that returns a {@code CompletableFuture}, without blocking its caller.
 * If the filter's answer is not there yet, the method is called later, on the thread that
 * brings it. The method's own future is returned only if nothing is to be done before its
 * end is seen.
 *
 * @param gates the gates
 * @param empty what is returned if one of them is shut
 */
record FutureGuard(List<Gate> gates, EmptyValue.Completed empty) implements ReadGuard {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		GuardedCall call = new GuardedCall(invocation);
		CompletableFuture<Boolean> admitted = call.admittedAsync(this.gates);
		if (!admitted.isDone() || call.isUndecided()) {
			return later(call, admitted);
		}
		if (!admitted.join()) {
			return call.answer(this.empty);
		}
		return call.load();
	}

	private CompletableFuture<@Nullable Object> later(GuardedCall call, CompletableFuture<Boolean> admitted) {
		MethodInvocation detached = ((ProxyMethodInvocation) call.invocation()).invocableClone();
		CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
		admitted.whenComplete((passes, ex) -> {
			if (answer.isDone()) {
				return; // the caller has cancelled it
			}
			try {
				if (passes) {
					call.begin();
					relay(call, proceed(call, detached), answer);
				}
				else {
					answer.complete(call.answer(this.empty.content()));
				}
			}
			catch (Throwable failure) {
				call.end();
				answer.completeExceptionally(failure);
			}
		});
		return answer;
	}

	private static @Nullable Object proceed(GuardedCall call, MethodInvocation detached) {
		try {
			return call.proceed(detached);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static void relay(GuardedCall call, @Nullable Object result, CompletableFuture<@Nullable Object> answer) {
		if (result instanceof CompletionStage<?> stage) {
			FutureRelay.relay(stage, answer, call::ended, (value) -> {
				call.returned(value);
				answer.complete(value);
			});
		}
		else {
			call.end();
			call.returned(result);
			answer.complete(result);
		}
	}

}
