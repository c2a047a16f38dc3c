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

package io.github.bloomguard.warmup;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Lets a few tasks run at a time, each on a thread that it gets when its turn has come:
 * first the one that is asked for most, and of those that are asked for equally often the
 * one that has waited longest.
 * <p>
 * Concurrency: what waits and how many run is guarded by this object's monitor, under
 * which nothing is called but what tells how often tasks are asked for.
 */
final class TurnQueue {

	private final int limit;

	private final List<Turn> waiting = new ArrayList<>();

	private int running;

	/**
	 * @param limit how many tasks may run at a time
	 */
	TurnQueue(int limit) {
		this.limit = limit;
	}

	/**
	 * Run a task when its turn has come, which may be at once.
	 * @param demand how often it is asked for
	 * @param executor gives it a thread
	 * @param rejected called instead of the task if there is no thread for it
	 */
	Turn submit(LongSupplier demand, Executor executor, Runnable task, Runnable rejected) {
		Turn turn = new Turn(demand, executor, task, rejected);
		synchronized (this) {
			this.waiting.add(turn);
		}
		begin();
		return turn;
	}

	private void begin() {
		for (Turn next = next(); next != null; next = next()) {
			begin(next);
		}
	}

	/**
	 * Give a turn a thread, which takes those that wait after it: two hundred filters
	 * that look at their database once a second would start as many threads.
	 */
	private void begin(Turn turn) {
		try {
			turn.executor.execute(() -> runFrom(turn));
		}
		catch (RejectedExecutionException ex) {
			end();
			turn.rejected.run();
		}
	}

	private void runFrom(Turn first) {
		Turn next = first;
		try {
			while (next != null) {
				next.task.run();
				end();
				// meant for the task that has ended
				Thread.interrupted();
				next = next();
			}
		}
		finally {
			if (next != null) {
				end();
				begin();
			}
		}
	}

	private synchronized @Nullable Turn next() {
		if (this.running >= this.limit || this.waiting.isEmpty()) {
			return null;
		}
		Turn next = this.waiting.get(0);
		for (Turn turn : this.waiting) {
			if (turn.demand.getAsLong() > next.demand.getAsLong()) {
				next = turn;
			}
		}
		this.waiting.remove(next);
		this.running++;
		return next;
	}

	private synchronized void end() {
		this.running--;
	}

	/**
	 * The turn of a task.
	 */
	final class Turn {

		private final LongSupplier demand;

		private final Executor executor;

		private final Runnable task;

		private final Runnable rejected;

		private Turn(LongSupplier demand, Executor executor, Runnable task, Runnable rejected) {
			this.demand = demand;
			this.executor = executor;
			this.task = task;
			this.rejected = rejected;
		}

		/**
		 * Return the place among those that wait, from 1 on; empty if it does not wait
		 * any more.
		 */
		OptionalInt position() {
			synchronized (TurnQueue.this) {
				int place = TurnQueue.this.waiting.indexOf(this);
				if (place < 0) {
					return OptionalInt.empty();
				}
				int before = 0;
				for (int i = 0; i < TurnQueue.this.waiting.size(); i++) {
					long more = TurnQueue.this.waiting.get(i).demand.getAsLong() - this.demand.getAsLong();
					before += (more > 0 || (more == 0 && i < place)) ? 1 : 0;
				}
				return OptionalInt.of(before + 1);
			}
		}

		/**
		 * Wait no more.
		 * @return whether it still did, so that the task will not run
		 */
		boolean withdraw() {
			synchronized (TurnQueue.this) {
				return TurnQueue.this.waiting.remove(this);
			}
		}

	}

}
