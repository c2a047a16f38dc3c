package io.github.bloomguard.interceptor;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.GuardedFilter;
import org.jspecify.annotations.Nullable;

/**
 * Asks the filter for the many keys of a call, and leaves those out that can't exist.
 */
final class KeysGate extends Gate {

	private static final CompletableFuture<Boolean> ADMITTED = CompletableFuture.completedFuture(Boolean.TRUE);

	private final KeysParameter parameter;

	KeysGate(GuardOperation operation, KeysParameter parameter, Supplier<GuardedFilter> filter) {
		super(operation, filter);
		this.parameter = parameter;
	}

	@Override
	boolean admits(GuardedCall call) {
		try {
			Asked asked = ask(call);
			return asked == null || admits(call, asked, filter().possible(asked.keys()));
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return true;
		}
	}

	@Override
	CompletableFuture<Boolean> admitsAsync(GuardedCall call) {
		try {
			Asked asked = ask(call);
			if (asked == null) {
				return ADMITTED;
			}
			return filter().possibleAsync(asked.keys())
				.thenApply((candidates) -> admits(call, asked, candidates))
				.exceptionally((ex) -> {
					unchecked(ex);
					return true;
				});
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return ADMITTED;
		}
	}

	/**
	 * Return what to ask the filter, or {@code null} if there is nothing.
	 */
	private @Nullable Asked ask(GuardedCall call) {
		Object argument = call.argument(this.parameter.index());
		if (argument == null || !applies(call.invocation())) {
			return null;
		}
		Object repeatable = this.parameter.repeatable(argument);
		if (repeatable != argument) {
			call.replaceArgument(this.parameter.index(), repeatable);
		}
		List<@Nullable Object> keys = this.parameter.keys(repeatable);
		return keys.isEmpty() ? null : new Asked(repeatable, keys);
	}

	private boolean admits(GuardedCall call, Asked asked, Candidates candidates) {
		List<@Nullable Object> keys = asked.keys();
		BitSet kept = (BitSet) candidates.positions().clone();
		for (int i = 0; i < keys.size(); i++) {
			if (keys.get(i) == null) {
				kept.set(i);
			}
		}
		if (kept.cardinality() < keys.size()) {
			audit(call, asked, kept);
		}
		if (kept.isEmpty()) {
			call.shutBy(this);
			return false;
		}
		if (kept.cardinality() < keys.size()) {
			call.replaceArgument(this.parameter.index(), this.parameter.narrow(asked.argument(), keys, kept));
		}
		if (!candidates.absent().isEmpty()) {
			call.follow(new KeysPassage(this, call, asked, candidates, call.argument(this.parameter.index())));
		}
		call.passed(this, candidates.verdict());
		return true;
	}

	/**
	 * Tell the filter what was found for keys that it calls absent.
	 */
	private void loaded(Asked asked, Candidates candidates, Emptiness emptiness) {
		if (emptiness == Emptiness.UNKNOWN) {
			return;
		}
		try {
			filter().loaded(asked.keys(), candidates, emptiness == Emptiness.EMPTY);
		}
		catch (RuntimeException ex) {
			failed("results are not reported", ex);
		}
	}

	/**
	 * Let the call be made for some of the keys that are left out, one by one, so that
	 * what it finds tells which one it was.
	 */
	private void audit(GuardedCall call, Asked asked, BitSet kept) {
		List<@Nullable Object> keys = asked.keys();
		for (int i = kept.nextClearBit(0); i < keys.size(); i = kept.nextClearBit(i + 1)) {
			Object key = keys.get(i);
			if (key != null && filter().isAudited(Verdict.ABSENT)) {
				BitSet one = new BitSet();
				one.set(i);
				audit(key,
						() -> call.again(this.parameter.index(), this.parameter.narrow(asked.argument(), keys, one)));
			}
		}
	}

	/**
	 * An argument and the keys that are in it.
	 */
	private record Asked(Object argument, List<@Nullable Object> keys) {
	}

	/**
	 * Keys some of which are called absent and looked for all the same.
	 *
	 * @param gate the gate
	 * @param call the call
	 * @param asked what was asked for
	 * @param candidates the answer
	 * @param passed the argument with which the gate lets the call pass; if another one
	 * leaves out more keys, nothing tells whether they would have been found
	 */
	private record KeysPassage(KeysGate gate, GuardedCall call, Asked asked, Candidates candidates,
			@Nullable Object passed) implements Passage {

		@Override
		public void returned(@Nullable Object result) {
			if (result instanceof CompletionStage<?> stage) {
				stage.whenComplete((value, ex) -> {
					if (ex == null) {
						returned(value);
					}
					else {
						threw(ex);
					}
				});
			}
			else {
				report(Emptiness.ofMany(result));
			}
		}

		@Override
		public void threw(Throwable failure) {
			if (this.gate.isMissing(failure)) {
				report(Emptiness.EMPTY);
			}
		}

		private void report(Emptiness emptiness) {
			if (this.call.argument(this.gate.parameter.index()) == this.passed) {
				this.gate.loaded(this.asked, this.candidates, emptiness);
			}
		}

	}

}
