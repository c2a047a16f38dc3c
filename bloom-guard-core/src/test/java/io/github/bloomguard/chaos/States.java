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

package io.github.bloomguard.chaos;

import java.util.Arrays;

/**
 * The states that were reached, in the order in which they were: the number of a world
 * and that of each actor's position. There are millions of them.
 */
final class States {

	/**
	 * How many bits there are for the position of each actor but the last one, which has
	 * the rest.
	 */
	private final int bits;

	private final int actors;

	private int[] worlds = new int[1024];

	private long[] positions = new long[1024];

	private int[] before = new int[1024];

	private int[] table = new int[4096];

	private int size;

	States(int actors) {
		this.actors = actors;
		this.bits = Math.min(16, 64 / actors);
	}

	int size() {
		return this.size;
	}

	int world(int state) {
		return this.worlds[state];
	}

	long positions(int state) {
		return this.positions[state];
	}

	int before(int state) {
		return this.before[state];
	}

	int position(int state, int actor) {
		return (int) ((this.positions[state] >>> (actor * this.bits)) & mask(actor));
	}

	/**
	 * Return the positions after one actor has moved.
	 * @param state the state before
	 * @param actor the number of the actor
	 * @param position its next position
	 * @return all positions
	 */
	long moved(int state, int actor, int position) {
		if (position > mask(actor)) {
			throw new IllegalStateException("Too many positions");
		}
		int shift = actor * this.bits;
		return (this.positions[state] & ~(mask(actor) << shift)) | ((long) position << shift);
	}

	private long mask(int actor) {
		return (1L << ((actor == this.actors - 1) ? Math.min(31, 64 - actor * this.bits) : this.bits)) - 1;
	}

	/**
	 * Add a state.
	 * @param world the number of the world
	 * @param positions the positions
	 * @param before the state before
	 * @return whether it is new
	 */
	boolean add(int world, long positions, int before) {
		int slot = slot(world, positions);
		while (this.table[slot] != 0) {
			int other = this.table[slot] - 1;
			if (this.worlds[other] == world && this.positions[other] == positions) {
				return false;
			}
			slot = (slot + 1) & (this.table.length - 1);
		}
		if (this.size == this.worlds.length) {
			this.worlds = Arrays.copyOf(this.worlds, this.size * 2);
			this.positions = Arrays.copyOf(this.positions, this.size * 2);
			this.before = Arrays.copyOf(this.before, this.size * 2);
		}
		this.worlds[this.size] = world;
		this.positions[this.size] = positions;
		this.before[this.size] = before;
		this.size++;
		this.table[slot] = this.size;
		if (this.size > this.table.length / 2) {
			grow();
		}
		return true;
	}

	private void grow() {
		this.table = new int[this.table.length * 2];
		for (int state = 0; state < this.size; state++) {
			int slot = slot(this.worlds[state], this.positions[state]);
			while (this.table[slot] != 0) {
				slot = (slot + 1) & (this.table.length - 1);
			}
			this.table[slot] = state + 1;
		}
	}

	private int slot(int world, long positions) {
		return LongMap.spread(positions * 31 + world) & (this.table.length - 1);
	}

}
