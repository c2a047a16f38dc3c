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
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Runs actors in all orders of their steps. Each actor has a thread, which waits before
 * each of its steps until it is its turn. All orders are found by running the actors anew
 * with each prefix that leaves a choice.
 */
final class Interleaved implements AutoCloseable {

	private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{32}");

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Map<String, Runnable> actors = new LinkedHashMap<>();

	private final Map<String, String> waiting = new LinkedHashMap<>();

	private final Map<String, String> told = new TreeMap<>();

	private final Set<String> states = new HashSet<>();

	private final List<String> trace = new ArrayList<>();

	private @Nullable String turn;

	private int running;

	private boolean exploring;

	private @Nullable Throwable failure;

	void actor(String name, Runnable code) {
		this.actors.put(name, code);
	}

	/**
	 * Wait until an actor may make its next step.
	 */
	synchronized void step(String actor, String step) {
		if (!this.exploring) {
			return;
		}
		this.waiting.put(actor, step);
		this.running--;
		notifyAll();
		try {
			while (!actor.equals(this.turn)) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		this.turn = null;
		this.waiting.remove(actor);
	}

	/**
	 * Have one more actor, whose thread is about to wait for its first turn.
	 */
	synchronized void begins() {
		this.running++;
	}

	/**
	 * End an actor that has begun so.
	 */
	synchronized void ends() {
		this.running--;
		notifyAll();
	}

	/**
	 * Note what an actor was told by its step.
	 */
	synchronized void told(String actor, String result) {
		this.told.merge(actor, result, (before, now) -> before + ',' + now);
	}

	/**
	 * Run the actors in all orders.
	 * @param before prepares a run
	 * @param world describes the world
	 * @param after looks at what a run has led to, and returns what is wrong with it
	 * @return the number of orders, if nothing was wrong in any
	 * @throws AssertionError with the steps of the first order in which something was
	 */
	int walk(Runnable before, Supplier<String> world, Supplier<@Nullable String> after) {
		List<Integer> choices = new ArrayList<>();
		for (int orders = 1;; orders++) {
			before.run();
			List<Integer> alternatives = run(choices, world);
			String wrong = after.get();
			if (wrong != null) {
				throw new AssertionError(wrong + " in order " + orders + ":\n  " + String.join("\n  ", this.trace));
			}
			int last = alternatives.size() - 1;
			while (last >= 0 && choices.get(last) + 1 >= alternatives.get(last)) {
				choices.remove(last--);
			}
			if (last < 0) {
				return orders;
			}
			choices = new ArrayList<>(choices.subList(0, last + 1));
			choices.set(last, choices.get(last) + 1);
		}
	}

	/**
	 * Run the actors once.
	 * @param choices which of the waiting actors is next; the first where nothing is said
	 * @return among how many each choice was
	 */
	private synchronized List<Integer> run(List<Integer> choices, Supplier<String> world) {
		boolean known = false;
		this.trace.clear();
		this.told.clear();
		this.running = this.actors.size();
		this.exploring = true;
		this.actors.forEach((name, code) -> this.threads.execute(() -> {
			try {
				code.run();
			}
			catch (Throwable ex) {
				this.failure = ex;
			}
			finally {
				ends();
			}
		}));
		List<Integer> alternatives = new ArrayList<>();
		try {
			while (true) {
				while (this.running > 0) {
					wait();
				}
				if (this.waiting.isEmpty()) {
					break;
				}
				if (choices.size() == alternatives.size()) {
					choices.add(0);
					known = known || !this.states.add(state(world.get()));
				}
				String next = this.waiting.keySet().stream().sorted().toList().get(choices.get(alternatives.size()));
				alternatives.add(known ? 1 : this.waiting.size());
				this.trace.add(next + " " + this.waiting.get(next));
				this.running++;
				this.turn = next;
				notifyAll();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		this.exploring = false;
		if (this.failure != null) {
			throw new AssertionError(String.join("\n  ", this.trace), this.failure);
		}
		return alternatives;
	}

	/**
	 * Describe the state. What is random is only told apart.
	 */
	private String state(String world) {
		Map<String, Integer> numbers = new HashMap<>();
		return RANDOM.matcher(world + new TreeMap<>(this.waiting) + this.told)
			.replaceAll((random) -> String.valueOf(numbers.computeIfAbsent(random.group(), (added) -> numbers.size())));
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}
