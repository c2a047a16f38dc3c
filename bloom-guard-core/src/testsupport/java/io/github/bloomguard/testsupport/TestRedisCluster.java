package io.github.bloomguard.testsupport;

import java.time.Duration;
import java.util.ArrayList;
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

	private void meet(TestRedis node) {
		this.primaries.get(0).command("CLUSTER", "MEET", "127.0.0.1", String.valueOf(node.port()));
	}

	private void addReplica(TestRedis primary) {
		TestRedis replica = node();
		this.replicas.add(replica);
		meet(replica);
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> "OK".equals(replica.command("CLUSTER", "REPLICATE", id(primary))));
	}

	private void awaitAgreement() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> nodes().allMatch((node) -> node.command("CLUSTER", "INFO").contains("cluster_state:ok")
					&& node.command("CLUSTER", "NODES")
						.lines()
						.filter((line) -> line.contains(" connected"))
						.count() == nodes().count()));
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.replicas.stream()
				.allMatch((replica) -> replica.command("INFO", "replication").contains("master_link_status:up")));
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
	 * Return the node that was the primary of a key when the cluster was started.
	 * @param key the key
	 * @return the node
	 */
	public TestRedis primaryOf(String key) {
		int slot = Integer.parseInt(this.primaries.get(0).command("CLUSTER", "KEYSLOT", key));
		return this.primaries.get(IntStream.range(0, PRIMARIES)
			.filter((i) -> slot < (i + 1) * SLOTS / PRIMARIES)
			.findFirst()
			.orElseThrow());
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
	 * Move the slot of a key to the next primary while it is used.
	 * @param key the key
	 * @param betweenKeys called before the first key is moved, and after each of them
	 * @return the primary that has it now
	 */
	public TestRedis moveSlotOf(String key, Runnable betweenKeys) {
		TestRedis from = primaryOf(key);
		TestRedis to = this.primaries.get((this.primaries.indexOf(from) + 1) % PRIMARIES);
		String slot = from.command("CLUSTER", "KEYSLOT", key);
		to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
		from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
		betweenKeys.run();
		for (String keys = from.command("CLUSTER", "GETKEYSINSLOT", slot, "10"); !keys.isEmpty(); keys = from
			.command("CLUSTER", "GETKEYSINSLOT", slot, "10")) {
			for (String moved : keys.split("\n")) {
				from.command("MIGRATE", "127.0.0.1", String.valueOf(to.port()), moved, "0", "5000");
				betweenKeys.run();
			}
		}
		nodes().forEach((node) -> node.command("CLUSTER", "SETSLOT", slot, "NODE", id(to)));
		return to;
	}

	@Override
	public void close() {
		nodes().forEach(TestRedis::close);
	}

}
