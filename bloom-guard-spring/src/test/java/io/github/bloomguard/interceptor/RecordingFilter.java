/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.interceptor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.UnsupportedKeyException;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.VerifiedAnswer;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.filter.KeyFormat;
import org.jspecify.annotations.Nullable;

/**
 * A filter that does as it is told and writes down what it is asked. Its copies with
 * another time to live share all of that.
 */
class RecordingFilter implements GuardedFilter, WrittenFilter {

	/**
	 * A key that has no canonical form.
	 */
	static final Object UNSUPPORTED = new Object();

	private final String name;

	private final @Nullable Duration emptyTtl;

	private final State state;

	RecordingFilter(String name) {
		this(name, null, new State());
	}

	private RecordingFilter(String name, @Nullable Duration emptyTtl, State state) {
		this.name = name;
		this.emptyTtl = emptyTtl;
		this.state = state;
	}

	void absent(Object... keys) {
		this.state.absent.addAll(List.of(keys));
	}

	/**
	 * Have the source say that there are rows with these keys.
	 */
	void rows(Object... keys) {
		this.state.rows.addAll(List.of(keys));
	}

	List<@Nullable Object> removed() {
		return this.state.removed;
	}

	void shadow() {
		this.state.absence = Decision.LET_THROUGH;
	}

	void enforce() {
		this.state.absence = Decision.ABSENT;
	}

	/**
	 * Answer by an empty sentinel.
	 */
	void remember() {
		this.state.absence = Decision.REMEMBERED;
	}

	/**
	 * Verify all answers, at once.
	 */
	void verifyAll() {
		this.state.verifies = true;
	}

	/**
	 * Find a row by each look-up behind an answer from now on, when {@link #release()
	 * released} if held.
	 */
	void findByLookUps() {
		this.state.stands = false;
	}

	/**
	 * Be unable to tell about any key, and let so many calls load.
	 */
	void lose(int maxConcurrentLoads) {
		this.state.lost = true;
		this.state.limit = maxConcurrentLoads;
		this.state.permits = new Semaphore(maxConcurrentLoads);
	}

	int freePermits() {
		return this.state.permits.availablePermits();
	}

	void refuseAdds() {
		this.state.refusesAdds = true;
	}

	void takeAdds() {
		this.state.refusesAdds = false;
	}

	/**
	 * Be told when keys that were added outside of a transaction have been looked after.
	 */
	void onEnd(Runnable callback) {
		this.state.onEnd = callback;
	}

	/**
	 * Be told when keys that were added in a reactive transaction are looked after before
	 * its commit.
	 */
	void onCommit(Runnable callback) {
		this.state.onCommit = callback;
	}

	void onAdd(Runnable callback) {
		this.state.onAdd = callback;
	}

	/**
	 * Leave questions open until {@link #release()}.
	 */
	void hold() {
		this.state.held = new CompletableFuture<>();
	}

	void release() {
		this.state.held.complete(null);
	}

	List<Object> checked() {
		return this.state.checked;
	}

	List<List<?>> possibleAsked() {
		return this.state.possibleAsked;
	}

	List<String> loaded() {
		return this.state.loaded;
	}

	List<String> verified() {
		return this.state.verified;
	}

	List<Object> added() {
		return this.state.added;
	}

	int uncheckedCalls() {
		return this.state.unchecked;
	}

	Set<String> scopes() {
		return this.state.scopes;
	}

	List<@Nullable Duration> ttls() {
		return this.state.ttls;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public GuardedFilter withEmptyTtl(Duration emptyTtl) {
		return new RecordingFilter(this.name, emptyTtl, this.state);
	}

	@Override
	public GuardedFilter scopedTo(String scope) {
		this.state.scopes.add(scope);
		return this;
	}

	@Override
	public boolean mightContain(@Nullable Object key) {
		return !checked(key).answered();
	}

	@Override
	public Membership membership(@Nullable Object key) {
		return checked(key).membership();
	}

	@Override
	public Decision preview(@Nullable Object key) {
		return checked(key);
	}

	@Override
	public boolean isRemembered(Object key) {
		return false;
	}

	@Override
	public Membership lookUp(Object key) {
		return Membership.UNKNOWN;
	}

	@Override
	public boolean remembersAbsence() {
		return true;
	}

	@Override
	public @Nullable Object textOfAbsence(Object key) {
		return null;
	}

	@Override
	public Answer<Boolean> confirmsAbsence(Object key) {
		return Answer.of(true);
	}

	@Override
	public Answer<Decision> check(@Nullable Object key) {
		return held(checked(key));
	}

	private <T> Answer<T> held(T value) {
		return Answer.from(this.state.held.thenApply((released) -> value));
	}

	private Decision checked(@Nullable Object key) {
		this.state.checked.add(key);
		this.state.ttls.add(this.emptyTtl);
		return verdict(key);
	}

	private Decision verdict(@Nullable Object key) {
		if (key == UNSUPPORTED) {
			throw new UnsupportedKeyException(Object.class);
		}
		return this.state.lost ? Decision.UNKNOWN
				: this.state.absent.contains(key) ? this.state.absence : Decision.maybe(1);
	}

	@Override
	public Answer<Candidates> possible(List<? extends @Nullable Object> keys) {
		this.state.possibleAsked.add(keys);
		BitSet possible = new BitSet();
		IntStream.range(0, keys.size())
			.filter((i) -> keys.get(i) != null && !verdict(keys.get(i)).answered())
			.forEach(possible::set);
		BitSet absent = new BitSet();
		possible.stream().filter((i) -> verdict(keys.get(i)).membership() == Membership.ABSENT).forEach(absent::set);
		BitSet verified = new BitSet();
		if (this.state.verifies) {
			verified.set(0, keys.size());
			verified.andNot(possible);
		}
		return held(new Candidates(possible, absent, verified, this.state.lost ? Decision.UNKNOWN : Decision.MAYBE));
	}

	@Override
	public @Nullable LoadPermit acquire(Decision verdict) {
		if (!this.state.lost || verdict.membership() != Membership.UNKNOWN) {
			return null;
		}
		if (!this.state.permits.tryAcquire()) {
			throw new LoadRejectedException(this.name, FilterState.LOADING, this.state.limit);
		}
		return this.state.permits::release;
	}

	@Override
	public boolean isProven() {
		return true;
	}

	@Override
	public void loaded(@Nullable Object key, Decision verdict, boolean empty, boolean inTransaction) {
		this.state.loaded.add(key + " " + verdict.membership() + (empty ? " empty" : " found")
				+ (inTransaction ? " in a transaction" : ""));
	}

	@Override
	public void loaded(List<? extends @Nullable Object> keys, Candidates candidates, boolean empty) {
		this.state.loaded.add(keys + " ABSENT " + candidates.absent() + (empty ? " empty" : " found"));
	}

	@Override
	public void ifAbsent(Object key, Decision verdict, Runnable action) {
		if (!this.state.rows.contains(key)) {
			action.run();
		}
	}

	@Override
	public @Nullable VerifiedAnswer draw(Object key, Decision verdict) {
		return (this.state.verifies && verdict.answered()) ? (call) -> stands(List.of(key), call) : null;
	}

	@Override
	public Answer<Candidates> verify(List<? extends @Nullable Object> keys, Candidates candidates,
			Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls) {
		return stands(candidates.verified().stream().mapToObj(keys::get).toList(), calls.apply(candidates.verified()))
			.map((stands) -> stands ? candidates : candidates.with(candidates.verified()));
	}

	private Answer<Boolean> stands(List<?> keys, Loader<? extends CompletionStage<Boolean>, ?> call) {
		Object asked = (keys.size() == 1) ? keys.get(0) : keys;
		try {
			this.state.verified.add(asked + " " + call.load().toCompletableFuture().join());
		}
		catch (Throwable ex) {
			this.state.verified.add(asked + " " + ex);
		}
		return this.state.stands ? Answer.of(true) : held(false);
	}

	@Override
	public void unchecked() {
		this.state.unchecked++;
	}

	@Override
	public void add(Collection<? extends @Nullable Object> keys) {
		if (keys.isEmpty()) {
			return;
		}
		this.state.onAdd.run();
		if (this.state.refusesAdds) {
			throw new KeyNotAddedException(this.name, new IllegalStateException("refused"));
		}
		if (keys.stream().anyMatch(Objects::isNull)) {
			throw new KeyNotAddedException(this.name);
		}
		this.state.added.addAll(keys);
	}

	@Override
	public void mistrust(String reason) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<@Nullable Object> known(Collection<? extends @Nullable Object> keys) {
		KeyFormat format = new KeyFormat(List.of());
		List<@Nullable Object> known = new ArrayList<>(keys);
		known.replaceAll((key) -> (key != null && format.isComplete(key)) ? key : null);
		return known;
	}

	@Override
	public KeyRemoval removalIfGone() {
		return removal();
	}

	@Override
	public KeyRemoval removal() {
		return new KeyRemoval() {

			@Override
			public void remove(Collection<? extends @Nullable Object> keys) {
				RecordingFilter.this.state.removed.addAll(keys);
			}

			@Override
			public void removeNow(Collection<? extends @Nullable Object> keys, Duration ago) {
				RecordingFilter.this.state.removed.addAll(keys);
			}

		};
	}

	@Override
	public TransactionalKeys transactionalKeys() {
		return new TransactionalKeys() {

			@Override
			public void add(Collection<? extends @Nullable Object> keys) {
				RecordingFilter.this.add(keys);
			}

			@Override
			public void begin(Collection<? extends @Nullable Object> keys) {
				throw new UnsupportedOperationException();
			}

			@Override
			public void mistrust(String reason) {
				throw new UnsupportedOperationException();
			}

			@Override
			public void beforeCommit() {
				RecordingFilter.this.state.onCommit.run();
			}

			@Override
			public void afterCommit() {
				RecordingFilter.this.state.onEnd.run();
			}

		};
	}

	@Override
	public @Nullable TransactionalKeys keysOfThread() {
		return null;
	}

	private static final class State {

		private final Set<Object> absent = new HashSet<>();

		private final Set<Object> rows = new HashSet<>();

		private final List<@Nullable Object> removed = Collections.synchronizedList(new ArrayList<>());

		private final List<Object> checked = Collections.synchronizedList(new ArrayList<>());

		private final List<List<?>> possibleAsked = new ArrayList<>();

		private final List<String> loaded = Collections.synchronizedList(new ArrayList<>());

		private final List<String> verified = new ArrayList<>();

		private final List<Object> added = Collections.synchronizedList(new ArrayList<>());

		private final List<@Nullable Duration> ttls = new ArrayList<>();

		private final Set<String> scopes = new HashSet<>();

		private Decision absence = Decision.ABSENT;

		private CompletableFuture<@Nullable Void> held = CompletableFuture.completedFuture(null);

		private volatile Runnable onAdd = () -> {
		};

		private volatile Runnable onCommit = () -> {
		};

		private volatile Runnable onEnd = () -> {
		};

		private boolean refusesAdds;

		private boolean verifies;

		private boolean stands = true;

		private volatile boolean lost;

		private int limit;

		private Semaphore permits = new Semaphore(0);

		private int unchecked;

	}

}
