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

package io.github.bloomguard.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Runs actors in all orders of their steps. Each actor has a thread, which waits before
 * each of its steps until it is its turn; the last that comes to wait chooses who is
 * next. All orders are found by running the actors anew with each prefix that leaves a
 * choice. A run that comes to a state from which all has been walked through already is
 * left: its actors run to their end as they like.
 */
final class Interleaved implements AutoCloseable {

	private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{32}");

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Map<String, Runnable> actors = new LinkedHashMap<>();

	private final Lock lock = new ReentrantLock();

	private final Condition ended = this.lock.newCondition();

	private final TreeMap<String, Turn> waiting = new TreeMap<>();

	private final Map<String, String> told = new TreeMap<>();

	private final Set<String> states = new HashSet<>();

	private final List<String> trace = new ArrayList<>();

	/** Which of the waiting actors is next; the first where nothing is said. */
	private List<Integer> choices = new ArrayList<>();

	/** Among how many each choice was. */
	private final List<Integer> alternatives = new ArrayList<>();

	private Supplier<String> world = () -> "";

	private int running;

	private boolean exploring;

	private @Nullable Throwable failure;

	void actor(String name, Runnable code) {
		this.actors.put(name, code);
	}

	/**
	 * Wait until an actor may make its next step.
	 */
	void step(String actor, String step) {
		this.lock.lock();
		try {
			if (!this.exploring) {
				return;
			}
			Turn turn = new Turn(step, this.lock.newCondition());
			this.waiting.put(actor, turn);
			ends();
			while (this.waiting.get(actor) == turn) {
				turn.come().awaitUninterruptibly();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Have one more actor, whose thread is about to wait for its first turn.
	 */
	void begins() {
		this.lock.lock();
		this.running++;
		this.lock.unlock();
	}

	/**
	 * End an actor that has begun so.
	 */
	void ends() {
		this.lock.lock();
		try {
			if (--this.running > 0) {
				return;
			}
			if (this.waiting.isEmpty()) {
				this.ended.signal();
			}
			else {
				choose();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Note what an actor was told by its step.
	 */
	void told(String actor, String result) {
		this.lock.lock();
		this.told.merge(actor, result, (before, now) -> before + ',' + now);
		this.lock.unlock();
	}

	/**
	 * Run the actors in all orders.
	 * @param before prepares a run
	 * @param world describes the world
	 * @param after looks at what a run has led to, and returns what is wrong with it
	 * @return the number of runs, if nothing was wrong in any
	 * @throws AssertionError with the steps of the first order in which something was
	 */
	int walk(Runnable before, Supplier<String> world, Supplier<@Nullable String> after) {
		this.world = world;
		for (int runs = 1;; runs++) {
			before.run();
			String wrong = run() ? after.get() : null;
			if (wrong != null) {
				throw new AssertionError(wrong + " in run " + runs + ":\n  " + String.join("\n  ", this.trace));
			}
			int last = this.alternatives.size() - 1;
			while (last >= 0 && this.choices.get(last) + 1 >= this.alternatives.get(last)) {
				this.choices.remove(last--);
			}
			if (last < 0) {
				return runs;
			}
			this.choices.set(last, this.choices.get(last) + 1);
		}
	}

	/**
	 * Run the actors once.
	 * @return whether it was not left
	 */
	private boolean run() {
		this.lock.lock();
		try {
			this.trace.clear();
			this.told.clear();
			this.alternatives.clear();
			this.running = this.actors.size();
			this.exploring = true;
			this.actors.forEach((name, code) -> this.threads.execute(() -> act(code)));
			while (this.running > 0 || !this.waiting.isEmpty()) {
				// an actor whose Redis fails may leave the others waiting for ever
				if (!this.ended.await(2, TimeUnit.MINUTES)) {
					throw new AssertionError("Hangs after:\n  " + String.join("\n  ", this.trace), this.failure);
				}
			}
			if (this.failure != null) {
				throw new AssertionError(String.join("\n  ", this.trace), this.failure);
			}
			return this.exploring;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			this.exploring = false;
			this.lock.unlock();
		}
	}

	private void act(Runnable code) {
		try {
			code.run();
		}
		catch (Throwable ex) {
			this.failure = ex;
		}
		finally {
			ends();
		}
	}

	private void choose() {
		int chosen = this.alternatives.size();
		if (this.choices.size() == chosen) {
			if (!this.states.add(state())) {
				this.exploring = false;
				List.copyOf(this.waiting.keySet()).forEach(this::goOn);
				return;
			}
			this.choices.add(0);
		}
		this.alternatives.add(this.waiting.size());
		String next = List.copyOf(this.waiting.keySet()).get(this.choices.get(chosen));
		this.trace.add(next + " " + this.waiting.get(next).step());
		goOn(next);
	}

	private void goOn(String actor) {
		this.running++;
		this.waiting.remove(actor).come().signal();
	}

	/**
	 * Describe the state. What is random is only told apart.
	 */
	private String state() {
		Map<String, Integer> numbers = new HashMap<>();
		Map<String, String> steps = new TreeMap<>();
		this.waiting.forEach((actor, turn) -> steps.put(actor, turn.step()));
		return RANDOM.matcher(this.world.get() + steps + this.told)
			.replaceAll((random) -> String.valueOf(numbers.computeIfAbsent(random.group(), (added) -> numbers.size())));
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

	/**
	 * An actor that waits.
	 */
	private record Turn(String step, Condition come) {

	}

}
