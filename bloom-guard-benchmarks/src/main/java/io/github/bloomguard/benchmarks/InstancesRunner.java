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

package io.github.bloomguard.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.github.bloomguard.benchmarks.mirror.Adds;
import io.github.bloomguard.benchmarks.mirror.MirrorInstance;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.RedisWire;

/**
 * Measures what many instances of an application cost one Redis: what an idle one sends,
 * how long an add takes that all their mirrors have to learn of, also while they are
 * restarted one after the other, and how long a rebuild takes. All are in this JVM.
 */
public final class InstancesRunner {

	private static final long KEYS = 100_000;

	private static final Duration ADDING = Duration.ofSeconds(3);

	private static final long IDLE_SECONDS = 10;

	private InstancesRunner() {
	}

	/**
	 * Measure.
	 * @param args how many instances; without any, 1, 5, 10 and 20
	 */
	public static void main(String[] args) {
		System.out
			.printf("| instances | p | commands/s of an idle one | Redis CPU of an idle one | adds p50 ms | p99 ms"
					+ " | commands of an add | of these, messages | Redis µs of an add | restarts, adds p50 ms | p99 ms | longest ms | rebuild s |%n");
		System.out
			.println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
		Stream.of((args.length > 0) ? args : new String[] { "1", "5", "10", "20" })
			.map(Integer::valueOf)
			.forEach((count) -> System.out.println(measure(count)));
	}

	private static String measure(int count) {
		List<MirrorInstance> instances = new ArrayList<>();
		try (LocalRedis redis = LocalRedis.start(); RedisWire wire = redis.wire()) {
			for (int i = 0; i < count; i++) {
				instances.add(start(redis));
			}
			double commands = wire.info("stats", "total_commands_processed");
			double cpu = cpu(wire);
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
			cpu = cpu(wire) - cpu;
			commands = wire.info("stats", "total_commands_processed") - commands;
			Adds.measure(instances.get(0), 1, ADDING);
			double[] before = totals(wire);
			Adds adds = Adds.measure(instances.get(0), 1, ADDING);
			double[] spent = totals(wire);
			for (int i = 0; i < spent.length; i++) {
				spent[i] = (spent[i] - before[i]) / adds.count();
			}
			double idle = commands / IDLE_SECONDS * ADDING.toSeconds() / adds.count();
			Adds whileRestarting = addsWhileRestarting(instances, redis);
			long begun = System.nanoTime();
			instances.get(0).guard().rebuild("products").join();
			instances.forEach(MirrorInstance::awaitAnswers);
			double rebuild = (System.nanoTime() - begun) / 1e9;
			return String.format(Locale.ROOT,
					"| %d | %s | %.1f | %.3f %% | %.2f | %.2f | %.1f | %.1f | %.0f | %.2f | %.2f | %.0f | %.1f |",
					count, MirrorInstance.PROBABILITY, commands / IDLE_SECONDS / count,
					100 * cpu / IDLE_SECONDS / count, adds.millis(50), adds.millis(99), spent[0] - idle, spent[1],
					1e6 * spent[2], whileRestarting.millis(50), whileRestarting.millis(99), whileRestarting.millis(100),
					rebuild);
		}
		finally {
			instances.forEach(MirrorInstance::close);
		}
	}

	private static double[] totals(RedisWire wire) {
		return new double[] { wire.info("stats", "total_commands_processed"), wire.calls("publish"), cpu(wire) };
	}

	private static MirrorInstance start(LocalRedis redis) {
		return MirrorInstance.start(redis.port(), KEYS, true).awaitAnswers();
	}

	private static double cpu(RedisWire wire) {
		return wire.info("cpu", "used_cpu_user") + wire.info("cpu", "used_cpu_sys");
	}

	/**
	 * Each instance but the first one is closed and replaced, one after the other.
	 */
	private static Adds addsWhileRestarting(List<MirrorInstance> instances, LocalRedis redis) {
		Thread restarts = new Thread(() -> {
			for (int i = 1; i < instances.size(); i++) {
				instances.get(i).close();
				instances.set(i, start(redis));
			}
		}, "restarts");
		restarts.start();
		return Adds.measure(instances.get(0), 1, restarts::isAlive);
	}

}
