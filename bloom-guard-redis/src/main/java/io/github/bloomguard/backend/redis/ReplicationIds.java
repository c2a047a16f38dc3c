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
 * Finds out by replication ids whether the primaries of a cluster have been replaced.
 * <p>
 * A server gets a new replication id ({@code master_replid}) when it starts as a primary
 * or is promoted, and remembers for at least an hour the id that it followed before
 * ({@code master_replid2}). If all former primaries have the same ids later and no other
 * server was promoted, none was replaced in between, and a slot that moved between them
 * moved with every write.
 * <p>
 * Concurrency: {@code latest} is replaced by each thread that has asked the servers. In
 * the background one asks at a time, the one that has set {@code asking}.
 */
final class ReplicationIds {

	private static final Duration KEPT = Duration.ofSeconds(2);

	private final PrimaryCommands commands;

	private final boolean cluster;

	private final AtomicBoolean asking = new AtomicBoolean();

	private volatile Topology latest = Topology.NOTHING;

	ReplicationIds(RedisAccess redis, Duration timeout) {
		this.commands = redis.commands(timeout, 0);
		this.cluster = redis.isCluster();
	}

	boolean isCluster() {
		return this.cluster;
	}

	/**
	 * Return what was found last, and ask again in the background if that is old.
	 */
	Topology latest() {
		Topology known = this.latest;
		if (this.cluster && known.age().compareTo(KEPT) > 0 && this.asking.compareAndSet(false, true)) {
			take().whenComplete((topology, failure) -> this.asking.set(false));
		}
		return known;
	}

	CompletableFuture<Topology> take() {
		long begun = System.nanoTime();
		return this.commands.informationOfAll().thenApply((answers) -> {
			Map<String, ReplicationId> replicationIds = new HashMap<>();
			for (String answer : answers) {
				ReplicationId replicationId = ReplicationId.of(answer);
				if (!replicationId.primary()) {
					throw new IllegalStateException("A primary of the cluster is none any more");
				}
				replicationIds.put(replicationId.server(), replicationId);
			}
			Topology topology = new Topology(Map.copyOf(replicationIds), begun);
			this.latest = topology;
			return topology;
		});
	}

	/**
	 * The primaries at one moment, by their {@code run_id}.
	 */
	record Topology(Map<String, ReplicationId> replicationIds, long takenAt) {

		static final Topology NOTHING = new Topology(Map.of(), System.nanoTime() - 2 * KEPT.toNanos());

		Duration age() {
			return Duration.ofNanos(System.nanoTime() - this.takenAt);
		}

		boolean has(String server) {
			return this.replicationIds.containsKey(server);
		}

		boolean isContinuedBy(ReplicationId replicationId) {
			ReplicationId former = this.replicationIds.get(replicationId.server());
			return !replicationId.promoted() || (former != null && former.id().equals(replicationId.id()));
		}

		boolean isContinuedBy(Topology later) {
			return later.replicationIds.keySet().containsAll(this.replicationIds.keySet())
					&& later.replicationIds.values().stream().allMatch(this::isContinuedBy);
		}

	}

	/**
	 * The replication id of one primary, named by its {@code run_id}.
	 *
	 * @param promoted whether it is known to have been a replica before
	 */
	record ReplicationId(String server, String id, boolean promoted, boolean primary) {

		static ReplicationId of(String information) {
			return new ReplicationId(field(information, "run_id"), field(information, "master_replid"),
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
