package io.github.bloomguard.interceptor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.BaseStream;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.LoadPermit;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.util.Assert;

/**
 * A call on its way through the gates. It is used by one thread at a time.
 */
final class GuardedCall {

	private final ProxyMethodInvocation invocation;

	private final Function<@Nullable Object, ? extends CompletionStage<Emptiness>> emptiness;

	private @Nullable Object @Nullable [] replacedArguments;

	private @Nullable Passages passages;

	private @Nullable Gate shut;

	private @Nullable Map<String, GuardedFilter> undecided;

	private List<LoadPermit> permits = List.of();

	GuardedCall(MethodInvocation invocation) {
		this(invocation, GuardedCall::emptiness);
	}

	/**
	 * Create a call.
	 * @param invocation the call
	 * @param emptiness tells whether what the method returns is empty
	 */
	GuardedCall(MethodInvocation invocation,
			Function<@Nullable Object, ? extends CompletionStage<Emptiness>> emptiness) {
		this.invocation = (ProxyMethodInvocation) invocation;
		this.emptiness = emptiness;
	}

	private static CompletionStage<Emptiness> emptiness(@Nullable Object result) {
		if (result instanceof CompletionStage<?> stage) {
			return stage.thenApply(Emptiness::of);
		}
		if (result instanceof BaseStream<?, ?> stream) {
			stream.close();
		}
		return CompletableFuture.completedFuture(Emptiness.of(result));
	}

	MethodInvocation invocation() {
		return this.invocation;
	}

	@Nullable Object argument(int index) {
		return (this.replacedArguments != null) ? this.replacedArguments[index] : this.invocation.getArguments()[index];
	}

	/**
	 * Call the method with another argument than the caller has given. Neither the
	 * caller's object nor what outer interceptors see is changed.
	 */
	void replaceArgument(int index, @Nullable Object argument) {
		if (this.replacedArguments == null) {
			this.replacedArguments = this.invocation.getArguments().clone();
		}
		this.replacedArguments[index] = argument;
	}

	/**
	 * Remember the gate that does not let the call pass.
	 */
	void shutBy(Gate gate) {
		this.shut = gate;
	}

	/**
	 * Answer the call as the gate says that does not let it pass.
	 */
	@Nullable Object answer(EmptyValue empty) {
		Assert.state(this.shut != null, "No gate is shut");
		return this.shut.answer(empty, this.invocation);
	}

	/**
	 * Remember that a gate wants to know how the call ends.
	 */
	void follow(Gate.Passage passage) {
		this.passages = new Passages(passage, this.passages);
	}

	/**
	 * Remember the filter of a gate if it could not tell.
	 */
	void passed(Gate gate, Verdict verdict) {
		if (verdict.membership() == Membership.UNKNOWN) {
			if (this.undecided == null) {
				this.undecided = new LinkedHashMap<>();
			}
			GuardedFilter filter = gate.filter();
			this.undecided.put(filter.name(), filter);
		}
	}

	/**
	 * Tell whether a filter could not tell, so that the call may be one of too many.
	 */
	boolean isUndecided() {
		return this.undecided != null;
	}

	/**
	 * Take a permit of each filter that could not tell.
	 * @throws LoadRejectedException if one of them gives none
	 */
	GuardedCall begin() {
		if (this.undecided == null) {
			return this;
		}
		this.permits = new ArrayList<>(this.undecided.size());
		try {
			for (GuardedFilter filter : this.undecided.values()) {
				LoadPermit permit = filter.acquire(Verdict.UNKNOWN);
				if (permit != null) {
					this.permits.add(permit);
				}
			}
			return this;
		}
		catch (LoadRejectedException ex) {
			end();
			throw ex;
		}
	}

	/**
	 * Give the permits back. To be called however the call has ended.
	 */
	void end() {
		this.permits.forEach(LoadPermit::close);
	}

	/**
	 * Give the permits back, and tell the gates what the call has failed with, if it has.
	 */
	void ended(@Nullable Throwable failure) {
		end();
		if (failure != null) {
			threw(failure);
		}
	}

	/**
	 * Go through the gates one after the other.
	 * @return whether each of them lets the call pass
	 */
	boolean admitted(List<Gate> gates) {
		for (Gate gate : gates) {
			if (!gate.admits(this)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Go through the gates one after the other, without waiting.
	 * @return whether each of them lets the call pass; never completed exceptionally
	 */
	CompletableFuture<Boolean> admittedAsync(List<Gate> gates) {
		CompletableFuture<Boolean> admitted = gates.get(0).admitsAsync(this);
		for (Gate gate : gates.subList(1, gates.size())) {
			admitted = admitted
				.thenCompose((passes) -> passes ? gate.admitsAsync(this) : CompletableFuture.completedFuture(false));
		}
		return admitted;
	}

	/**
	 * Call the method where the caller waits for it, and tell the gates how that has
	 * ended.
	 */
	@Nullable Object load() throws Throwable {
		try {
			Object result = (this.replacedArguments != null) ? proceed(this.invocation.invocableClone())
					: this.invocation.proceed();
			returned(result);
			return result;
		}
		catch (Throwable ex) {
			threw(ex);
			throw ex;
		}
	}

	/**
	 * Call the method when the caller has gone on already. AspectJ advice asks the thread
	 * for the call it advises, and this may be another thread.
	 * @param detached a clone of the invocation, to be used for this
	 */
	@Nullable Object proceed(MethodInvocation detached) throws Throwable {
		if (this.replacedArguments != null) {
			((ProxyMethodInvocation) detached).setArguments(this.replacedArguments);
		}
		return ExposeInvocationInterceptor.INSTANCE.invoke(detached);
	}

	/**
	 * Return what makes this call on another thread, and tells whether it has found
	 * something.
	 */
	Loader<CompletionStage<Boolean>, Throwable> again() {
		MethodInvocation detached = this.invocation.invocableClone();
		return () -> this.emptiness.apply(proceed(detached)).thenApply(Emptiness.PRESENT::equals);
	}

	/**
	 * Return what makes this call with another argument on another thread.
	 */
	Loader<CompletionStage<Boolean>, Throwable> again(int index, @Nullable Object argument) {
		GuardedCall other = new GuardedCall(this.invocation, this.emptiness);
		other.replacedArguments = this.replacedArguments;
		if (other.replacedArguments != null) {
			other.replacedArguments = other.replacedArguments.clone();
		}
		other.replaceArgument(index, argument);
		return other.again();
	}

	/**
	 * Tell the gates what the method has returned.
	 */
	void returned(@Nullable Object result) {
		for (Passages each = this.passages; each != null; each = each.previous()) {
			each.passage().returned(result);
		}
	}

	/**
	 * Tell the gates what the method has failed with.
	 */
	void threw(Throwable failure) {
		for (Passages each = this.passages; each != null; each = each.previous()) {
			each.passage().threw(failure);
		}
	}

	private record Passages(Gate.Passage passage, @Nullable Passages previous) {
	}

}
