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

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TcpProxy;
import io.github.bloomguard.testsupport.TestRedis;

/**
 * Attacks the system. Each kind of fault comes once before any comes again, in an order
 * that the seed tells.
 */
final class Faults {

	/**
	 * Of all keys, and also of shards.
	 */
	private static final String ANY = "bloom-guard:{products*}:";

	private static final String PREFIX = "bloom-guard:{products}:";

	private final FailoverRedis redis;

	private final List<Instance> instances;

	private final Oracle oracle;

	private final Random random;

	private final Applications applications;

	private final InstanceProcess process;

	private final Bag<Fault> bag;

	Faults(FailoverRedis redis, List<Instance> instances, Oracle oracle, Random random, Applications applications,
			InstanceProcess process) {
		this.redis = redis;
		this.instances = instances;
		this.oracle = oracle;
		this.random = random;
		this.applications = applications;
		this.process = process;
		this.bag = new Bag<>(List.of(Fault.values()), random);
	}

	void next() {
		Fault fault = this.bag.next();
		this.oracle.event(fault.toString());
		try {
			cause(fault);
			this.oracle.count("fault: " + fault);
		}
		catch (UncheckedIOException ex) {
			this.oracle.event(fault + " failed: " + ex.getCause());
		}
	}

	private void cause(Fault fault) {
		TestRedis primary = this.redis.primary();
		switch (fault) {
			case FLUSHED -> primary.command("FLUSHALL");
			case CONTROL_RECORD_DELETED -> primary.command("DEL", PREFIX + "control");
			case JOURNAL_DELETED -> primary.command("DEL", PREFIX + "journal");
			case ADDED_KEYS_DELETED -> primary.command("DEL", PREFIX + "added");
			case LEASE_DELETED -> primary.command("DEL", PREFIX + "lease");
			case BITS_DELETED -> any("bits:*[^g]").forEach((key) -> primary.command("DEL", key));
			case BITS_EMPTIED -> any("bits:*[^g]").forEach((key) -> primary.command("SET", key, ""));
			case CONFIG_DELETED -> any("bits:*:config").forEach((key) -> primary.command("DEL", key));
			case SENTINELS_DELETED -> primary.keys(PREFIX + "empty:*").forEach((key) -> primary.command("DEL", key));
			case ANY_KEY_DELETED -> any("*").forEach((key) -> primary.command("DEL", key));
			case WRONG_TYPE -> any("[acjb]*").forEach((key) -> {
				primary.command("DEL", key);
				primary.command("LPUSH", key, "x");
			});
			case KEYS_EVICTED -> evict(primary);
			case REDIS_FROZEN -> freeze(primary);
			case REDIS_RESTARTED_EMPTY -> primary.restart();
			case FAILOVER_TO_LAGGING_REPLICA -> failOver();
			case FAILOVER_DURING_A_BUILD -> failOverDuringABuild();
			case CLIENTS_KILLED -> primary.command("CLIENT", "KILL", "TYPE", "normal");
			case CONNECTIONS_CUT -> this.redis.cut();
			case BUILDER_CLOSED -> stopBuilder(GuardApplication::close);
			case BUILDER_KILLED -> stopBuilder((builder) -> {
				// it can't tell anybody
				builder.bean(RedisAccess.class).client().shutdown(0, 0, TimeUnit.SECONDS);
				builder.close();
			});
			case CAPACITY_CHANGED -> anyInstance()
				.replace((instance) -> this.applications.start(instance, 8_000 + this.random.nextInt(16_000)));
			case INSTANCE_FROZEN -> this.process.freeze(500 + this.random.nextInt(4_500));
			case INSTANCE_KILLED -> this.process.kill();
			case CLOCK_SET -> anyInstance().clock().setForward(Duration.ofSeconds(this.random.nextInt(-60, 60)));
			case MESSAGES_LOST -> anyInstance().network().cut();
			case MESSAGES_DELAYED -> delay(anyInstance().network());
		}
	}

	private Instance anyInstance() {
		return this.instances.get(this.random.nextInt(this.instances.size()));
	}

	private void delay(TcpProxy network) {
		network.delay(Duration.ofMillis(1 + this.random.nextInt(300)));
		pause(1_000 + this.random.nextInt(3_000));
		network.delay(Duration.ZERO);
	}

	private List<String> any(String pattern) {
		List<String> keys = this.redis.primary().keys(ANY + pattern);
		return keys.isEmpty() ? keys : List.of(keys.get(this.random.nextInt(keys.size())));
	}

	private void evict(TestRedis primary) {
		long used = primary.command("INFO", "memory")
			.lines()
			.filter((line) -> line.startsWith("used_memory:"))
			.mapToLong((line) -> Long.parseLong(line.substring("used_memory:".length()).trim()))
			.findFirst()
			.orElseThrow();
		primary.command("CONFIG", "SET", "maxmemory-policy",
				this.random.nextBoolean() ? "allkeys-lru" : "allkeys-random");
		primary.command("CONFIG", "SET", "maxmemory", String.valueOf(used + 300_000));
		String value = "x".repeat(10_000);
		for (int i = 0; i < 100; i++) {
			primary.command("SET", "filler:" + i, value);
		}
		primary.command("CONFIG", "SET", "maxmemory", "0");
		primary.keys("filler:*").forEach((key) -> primary.command("UNLINK", key));
	}

	private void freeze(TestRedis primary) {
		primary.freeze();
		try {
			pause(200 + this.random.nextInt(2_800));
		}
		finally {
			primary.thaw();
		}
	}

	private void failOver() {
		if (this.redis.awaitReplica(Duration.ofSeconds(3))) {
			this.redis.failOver(this.random.nextInt(800), this.oracle);
		}
		else {
			this.oracle.event("there is no replica to fail over to");
		}
	}

	private void failOverDuringABuild() {
		if (this.redis.awaitReplica(Duration.ofSeconds(3))) {
			this.instances.get(0).use((running) -> running.guard().rebuild("products"));
			pause(this.random.nextInt(50));
			this.redis.failOver(this.random.nextInt(200), this.oracle);
		}
		else {
			this.oracle.event("there is no replica to fail over to");
		}
	}

	private void stopBuilder(Consumer<GuardApplication> end) {
		GuardApplication builder = this.applications.startBuilder();
		builder.bean(BloomGuard.class).rebuild("products");
		this.applications.awaitBuild(Duration.ofSeconds(5));
		pause(this.random.nextInt(300));
		end.accept(builder);
		this.oracle.event("that builder is gone");
	}

	/**
	 * Faults have a duration and a distance. Nothing is concluded from it.
	 */
	static void pause(long millis) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/**
	 * Starts applications.
	 */
	interface Applications {

		GuardApplication start(Instance instance, long expectedInsertions);

		/** Start one whose next build waits in the middle of its scan. */
		GuardApplication startBuilder();

		void awaitBuild(Duration atMost);

	}

}
