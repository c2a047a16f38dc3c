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

package io.github.bloomguard.testsupport;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A Redis Cluster of three primaries, each with a replica if that is wanted.
 */
public final class TestRedisCluster implements AutoCloseable {

	private static final int SLOTS = 16_384;

	private static final int PRIMARIES = 3;

	private final List<TestRedis> primaries = new ArrayList<>();

	private final List<TestRedis> replicas = new ArrayList<>();

	private TestRedisCluster() {
	}

	/**
	 * Start a cluster.
	 * @param replicas whether each primary has a replica
	 * @return the cluster, which has agreed on its slots
	 */
	public static TestRedisCluster start(boolean replicas) {
		TestRedisCluster cluster = new TestRedisCluster();
		for (int i = 0; i < PRIMARIES; i++) {
			TestRedis primary = node();
			cluster.primaries.add(primary);
			primary.command(
					Stream
						.concat(Stream.of("CLUSTER", "ADDSLOTS"),
								IntStream.range(i * SLOTS / PRIMARIES, (i + 1) * SLOTS / PRIMARIES)
									.mapToObj(String::valueOf))
						.toArray(String[]::new));
			cluster.meet(primary);
		}
		if (replicas) {
			cluster.primaries.forEach((primary) -> cluster.addReplica(primary));
		}
		cluster.awaitAgreement();
		return cluster;
	}

	private static TestRedis node() {
		return TestRedis.start("--cluster-enabled", "yes", "--cluster-config-file", "nodes-" + UUID.randomUUID(),
				"--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0", "--repl-diskless-sync",
				"yes", "--repl-diskless-sync-delay", "0");
	}

	/**
	 * Let a node and the first one know each other. Each forgets the other again if that
	 * stands still for a second meanwhile.
	 */
	private void meet(TestRedis node) {
		TestRedis first = this.primaries.get(0);
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20)).until(() -> {
			first.command("CLUSTER", "MEET", "127.0.0.1", String.valueOf(node.port()));
			return knows(first, node) && knows(node, first);
		});
	}

	private static boolean knows(TestRedis node, TestRedis other) {
		return node.command("CLUSTER", "NODES").contains(id(other));
	}

	private void addReplica(TestRedis primary) {
		TestRedis replica = node();
		this.replicas.add(replica);
		meet(replica);
		Awaitility.await().until(() -> "OK".equals(replica.command("CLUSTER", "REPLICATE", id(primary))));
	}

	/**
	 * Wait until all nodes know each other and follow their primaries.
	 */
	public void awaitAgreement() {
		Awaitility.await()
			.until(() -> nodes().allMatch((node) -> node.command("CLUSTER", "INFO").contains("cluster_state:ok")
					&& node.command("CLUSTER", "NODES")
						.lines()
						.filter((line) -> line.contains(" connected"))
						.count() == nodes().count()));
		Awaitility.await()
			.until(() -> nodes().map((node) -> node.command("INFO", "replication"))
				.allMatch((node) -> node.contains("role:master") || node.contains("master_link_status:up")));
	}

	/**
	 * Return the id of a node.
	 * @param node the node
	 * @return its id
	 */
	public static String id(TestRedis node) {
		return node.command("CLUSTER", "MYID");
	}

	/**
	 * Return all nodes that were started.
	 * @return the primaries, then their replicas in the same order
	 */
	public Stream<TestRedis> nodes() {
		return Stream.concat(this.primaries.stream(), this.replicas.stream());
	}

	/**
	 * Return the node that is the primary of a key.
	 * @param key the key
	 * @return the node
	 */
	public TestRedis primaryOf(String key) {
		return primaries().filter((owner) -> owner.has(key))
			.max(Comparator.comparingLong(Owner::epoch))
			.map(Owner::node)
			.orElseThrow(() -> new IllegalStateException("No primary has the slot of " + key));
	}

	private boolean knowOwner(String id, int slot) {
		return nodes().allMatch((node) -> {
			try {
				return node.command("CLUSTER", "NODES")
					.lines()
					.filter((line) -> line.startsWith(id))
					.allMatch((line) -> Owner.of(node, line.split(" ")).has(slot));
			}
			catch (UncheckedIOException ex) {
				return true;
			}
		});
	}

	private Stream<Owner> primaries() {
		return nodes().flatMap((node) -> {
			try {
				return node.command("CLUSTER", "NODES")
					.lines()
					.filter((line) -> line.contains("myself,master"))
					.map((line) -> Owner.of(node, line.split(" ")));
			}
			catch (UncheckedIOException ex) {
				return Stream.empty();
			}
		});
	}

	/**
	 * Make a replica of a primary the primary, in agreement with it: nothing is lost.
	 * @param primary the primary
	 * @return the primary that took over
	 */
	public TestRedis failOver(TestRedis primary) {
		TestRedis replica = replicaOf(primary);
		Awaitility.await("the replica follows")
			.until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
		promote(replica);
		// the others don't vote for it if they have voted a moment ago
		Awaitility.await("the replica is promoted")
			.pollDelay(Duration.ofMillis(200))
			.pollInterval(Duration.ofSeconds(2))
			.until(() -> promote(replica));
		Awaitility.await("the former primary follows")
			.until(() -> replica.command("CLUSTER", "INFO").contains("cluster_state:ok")
					&& primary.command("ROLE").startsWith("slave"));
		return replica;
	}

	private static boolean promote(TestRedis replica) {
		boolean promoted = replica.command("ROLE").startsWith("master");
		if (!promoted) {
			replica.command("CLUSTER", "FAILOVER");
		}
		return promoted;
	}

	/**
	 * Kill a primary, and wait until its replica has taken over.
	 * @param primary the primary
	 */
	public void kill(TestRedis primary) {
		TestRedis replica = replicaOf(primary);
		primary.kill();
		Awaitility.await("the replica has taken over")
			.pollInterval(Duration.ofMillis(20))
			.until(() -> replica.command("ROLE").startsWith("master"));
	}

	/**
	 * Return a replica of a primary that is alive.
	 * @param primary the primary
	 * @return the replica
	 */
	public TestRedis replicaOf(TestRedis primary) {
		String id = id(primary);
		return nodes().filter((node) -> {
			try {
				return node.command("CLUSTER", "NODES").lines().anyMatch((line) -> line.contains("myself,slave " + id));
			}
			catch (UncheckedIOException ex) {
				return false;
			}
		}).findFirst().orElseThrow(() -> new IllegalStateException("There is no replica"));
	}

	/**
	 * Return the Spring Boot property that points an application to this cluster.
	 * @return the property as {@code name=value}
	 */
	public String property() {
		return "spring.data.redis.cluster.nodes="
				+ nodes().map((node) -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
	}

	/**
	 * Move the slot of a key to the next primary.
	 * @param key the key
	 * @return the primary that has it now
	 */
	public TestRedis moveSlotOf(String key) {
		return moveSlotOf(key, () -> {
		});
	}

	/**
	 * Move the slot of a key to the next primary while it is used. A primary that another
	 * node takes over from meanwhile, as on a busy machine, does not get it.
	 * @param key the key
	 * @param betweenKeys called before the first key is moved, and after each of them
	 * @return the primary that has it now
	 */
	public TestRedis moveSlotOf(String key, Runnable betweenKeys) {
		TestRedis from = primaryOf(key);
		List<TestRedis> primaries = primaries().filter(Owner::hasSlots).map(Owner::node).toList();
		TestRedis to = primaries.get((primaries.indexOf(from) + 1) % primaries.size());
		String slot = from.command("CLUSTER", "KEYSLOT", key);
		to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
		from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
		betweenKeys.run();
		for (String keys = from.command("CLUSTER", "GETKEYSINSLOT", slot, "10"); !keys.isEmpty(); keys = from
			.command("CLUSTER", "GETKEYSINSLOT", slot, "10")) {
			for (String moved : keys.split("\n")) {
				String reply = from.command("MIGRATE", "127.0.0.1", String.valueOf(to.port()), moved, "0", "5000",
						"REPLACE");
				if (reply.contains("MOVED")) {
					from.command("CLUSTER", "SETSLOT", slot, "STABLE");
					return from;
				}
				betweenKeys.run();
			}
		}
		Stream.concat(Stream.of(to, from), primaries.stream())
			.forEach((node) -> node.command("CLUSTER", "SETSLOT", slot, "NODE", id(to)));
		// a replica that does not know of it and is promoted would take the slot back
		Awaitility.await("all nodes know who has the slot").until(() -> knowOwner(id(to), Integer.parseInt(slot)));
		return to;
	}

	@Override
	public void close() {
		nodes().forEach(TestRedis::close);
	}

	/**
	 * A primary, as it sees itself.
	 *
	 * @param node the node
	 * @param epoch of which epoch its slots are
	 * @param slots its slots, as ranges
	 */
	private record Owner(TestRedis node, long epoch, List<String> slots) {

		private static final int EPOCH = 6;

		private static final int SLOTS = 8;

		static Owner of(TestRedis node, String[] fields) {
			return new Owner(node, Long.parseLong(fields[EPOCH]),
					Arrays.stream(fields).skip(SLOTS).filter((range) -> !range.startsWith("[")).toList());
		}

		boolean hasSlots() {
			return !this.slots.isEmpty();
		}

		boolean has(String key) {
			return has(Integer.parseInt(this.node.command("CLUSTER", "KEYSLOT", key)));
		}

		boolean has(int slot) {
			return this.slots.stream().anyMatch((range) -> {
				String[] ends = range.split("-");
				return slot >= Integer.parseInt(ends[0]) && slot <= Integer.parseInt(ends[ends.length - 1]);
			});
		}

	}

}
