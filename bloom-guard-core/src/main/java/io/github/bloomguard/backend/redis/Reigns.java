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

package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Which servers are the primaries of a cluster, and have been so without interruption.
 * <p>
 * A reign begins when a server starts as a primary or is promoted, and gets an id that
 * was never there before ({@code master_replid}). A server that was promoted remembers
 * the id that it followed ({@code master_replid2}) for at least an hour. So if all
 * primaries that there were have the same reigns later on, and nobody else was promoted,
 * no primary has been replaced between, and whatever was moved between them was moved
 * with all that had been written to it.
 * <p>
 * Concurrency: {@code latest} is replaced by whoever has asked the servers. In the
 * background one asks at a time, which is whoever has set {@code asking}.
 */
final class Reigns {

	/**
	 * How old what is known may become before it is asked for again.
	 */
	private static final Duration KEPT = Duration.ofSeconds(2);

	private final PrimaryCommands commands;

	private final boolean cluster;

	private final AtomicBoolean asking = new AtomicBoolean();

	private volatile Census latest = Census.NOTHING;

	/**
	 * Create an instance that knows nothing yet.
	 * @param redis the way to Redis
	 * @param timeout the longest wait for a server
	 */
	Reigns(RedisAccess redis, Duration timeout) {
		this.commands = redis.commands(timeout, 0);
		this.cluster = redis.isCluster();
	}

	/**
	 * Tell whether there is more than one primary, so that keys may be moved.
	 */
	boolean isCluster() {
		return this.cluster;
	}

	/**
	 * Return what was found last, and ask again in the background if that is old.
	 */
	Census latest() {
		Census known = this.latest;
		if (this.cluster && known.age().compareTo(KEPT) > 0 && this.asking.compareAndSet(false, true)) {
			take().whenComplete((census, failure) -> this.asking.set(false));
		}
		return known;
	}

	/**
	 * Ask all primaries.
	 * @return what they say, exceptionally if one of them does not answer
	 */
	CompletableFuture<Census> take() {
		long begun = System.nanoTime();
		return this.commands.informationOfAll().thenApply((answers) -> {
			Map<String, Reign> reigns = new HashMap<>();
			for (String answer : answers) {
				Reign reign = Reign.of(answer);
				if (!reign.primary()) {
					throw new IllegalStateException("A primary of the cluster is none any more");
				}
				reigns.put(reign.server(), reign);
			}
			Census census = new Census(Map.copyOf(reigns), begun);
			this.latest = census;
			return census;
		});
	}

	/**
	 * The primaries at one moment.
	 *
	 * @param reigns their reigns by the {@code run_id} of the server
	 * @param takenAt when they were asked
	 */
	record Census(Map<String, Reign> reigns, long takenAt) {

		static final Census NOTHING = new Census(Map.of(), System.nanoTime() - 2 * KEPT.toNanos());

		Duration age() {
			return Duration.ofNanos(System.nanoTime() - this.takenAt);
		}

		boolean has(String server) {
			return this.reigns.containsKey(server);
		}

		/**
		 * Tell whether a server has not been promoted since.
		 */
		boolean isContinuedBy(Reign reign) {
			Reign former = this.reigns.get(reign.server());
			return !reign.promoted() || (former != null && former.id().equals(reign.id()));
		}

		/**
		 * Tell whether no primary has been replaced since.
		 */
		boolean isContinuedBy(Census later) {
			return later.reigns.keySet().containsAll(this.reigns.keySet())
					&& later.reigns.values().stream().allMatch(this::isContinuedBy);
		}

	}

	/**
	 * The reign of one primary.
	 *
	 * @param server the {@code run_id} of the server
	 * @param id the id of the reign
	 * @param promoted whether it is known to have been a replica before
	 * @param primary whether it is a primary now
	 */
	record Reign(String server, String id, boolean promoted, boolean primary) {

		static Reign of(String information) {
			return new Reign(field(information, "run_id"), field(information, "master_replid"),
					!field(information, "master_replid2").matches("0*"), field(information, "role").equals("master"));
		}

		private static String field(String information, String name) {
			return information.lines()
				.filter((line) -> line.startsWith(name + ":"))
				.map((line) -> line.substring(name.length() + 1).strip())
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("INFO does not tell the " + name));
		}

	}

}
