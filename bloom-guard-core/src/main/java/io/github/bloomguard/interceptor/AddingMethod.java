package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;

/**
 * A method after which keys are added.
 */
final class AddingMethod {

	private final List<KeyAdder> adders;

	private final boolean future;

	private final @Nullable ReactiveCalls reactive;

	AddingMethod(Declaration declaration, List<KeyAdder> adders) {
		ResolvableType type = declaration.method().returnType();
		ReturnTypes.checkObservable(declaration, type);
		ReactiveAdapter adapter = ReturnTypes.reactive(declaration, type);
		this.adders = adders;
		this.future = CompletionStage.class.isAssignableFrom(type.toClass());
		this.reactive = (adapter != null) ? new ReactiveCalls(adapter) : null;
	}

	/**
	 * Call the method, and add the keys before its result is seen.
	 * @param invocation the call
	 * @param executor where keys are added after a future has been completed
	 */
	@Nullable Object invoke(MethodInvocation invocation, Executor executor) throws Throwable {
		Object result = invocation.proceed();
		if (this.reactive != null) {
			return this.reactive.add(invocation, result, this.adders);
		}
		if (this.future && result instanceof CompletionStage<?> stage) {
			return addLater(invocation, stage, executor);
		}
		KeyAdder.addAll(this.adders, invocation, result);
		return result;
	}

	private CompletableFuture<@Nullable Object> addLater(MethodInvocation invocation, CompletionStage<?> stage,
			Executor executor) {
		CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
		FutureRelay.relay(stage, answer, (value) -> executor.execute(() -> {
			try {
				KeyAdder.addAll(this.adders, invocation, value);
				answer.complete(value);
			}
			catch (Throwable ex) {
				answer.completeExceptionally(ex);
			}
		}));
		return answer;
	}

}
