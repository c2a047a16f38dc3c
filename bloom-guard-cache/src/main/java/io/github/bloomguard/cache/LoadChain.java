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

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Loads that need each other, one within the other: what leads flights, and waits for
 * those of others. A cycle of chains that wait would last until one is out of patience,
 * so the chain that would close it does not wait, and loads by itself: the wait-for graph
 * of a lock manager, whose nodes are chains (Holt, <i>Some Deadlock Properties of
 * Computer Systems</i>, 1972).
 * <p>
 * A chain is bound to the thread that runs a loader, or calls a method whose result
 * arrives later. What a loader hands to other threads is not known to belong to it.
 * <p>
 * Concurrency: a thread that is about to wait notes its chain with the one that it waits
 * for, and looks for a cycle after that. So of several that close one together at least
 * the last sees it. Two that see the same one both load, which costs a load. For whom of
 * another instance a chain waits, it writes to Redis again and again
 * ({@link EntryScripts#closesCycle}).
 */
final class LoadChain {

	private static final ThreadLocal<@Nullable LoadChain> CURRENT = new ThreadLocal<>();

	private final byte[] owner = owner();

	private final Set<LoadChain> awaitedBy = ConcurrentHashMap.newKeySet();

	private static byte[] owner() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return new UUID(random.nextLong(), random.nextLong()).toString().getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Return the chain that a load of the thread is part of, {@code null} if it is the
	 * first.
	 */
	static @Nullable LoadChain current() {
		return CURRENT.get();
	}

	/**
	 * Begin to run a load of a chain on the thread, or of none that others wait for.
	 * @return what the thread did before
	 */
	static @Nullable LoadChain begin(@Nullable LoadChain chain) {
		LoadChain outer = CURRENT.get();
		if (chain != null) {
			CURRENT.set(chain);
		}
		return outer;
	}

	static void end(@Nullable LoadChain outer) {
		// not removed: each load would make the thread's entry anew
		CURRENT.set(outer);
	}

	/**
	 * Return as whom it has the right to load.
	 */
	byte[] asOwner() {
		return this.owner;
	}

	/**
	 * Note that a load is about to wait for a flight, unless that waits for this chain.
	 * @return whether it may wait
	 */
	boolean awaits(Flight flight) {
		LoadChain leader = flight.leader();
		if (leader == null) {
			return true;
		}
		leader.awaitedBy.add(this);
		boolean mayWait = !andThoseThatWaitForIt().contains(leader);
		if (!mayWait) {
			goesOn(flight);
		}
		return mayWait;
	}

	/**
	 * Note that a load waits for a flight no longer.
	 */
	void goesOn(Flight flight) {
		LoadChain leader = flight.leader();
		if (leader != null) {
			leader.awaitedBy.remove(this);
		}
	}

	/**
	 * Return the owners of all that go on when this chain does.
	 */
	List<byte[]> owners() {
		return andThoseThatWaitForIt().stream().map(LoadChain::asOwner).toList();
	}

	private Set<LoadChain> andThoseThatWaitForIt() {
		Set<LoadChain> found = new HashSet<>(Set.of(this));
		Deque<LoadChain> next = new ArrayDeque<>(found);
		while (!next.isEmpty()) {
			next.remove().awaitedBy.stream().filter(found::add).forEach(next::add);
		}
		return found;
	}

}
