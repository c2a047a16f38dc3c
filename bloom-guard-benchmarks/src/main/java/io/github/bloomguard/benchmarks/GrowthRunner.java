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

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

import io.github.bloomguard.benchmarks.mirror.MirrorInstance;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.PingProcess;
import io.github.bloomguard.benchmarks.server.RedisWire;
import org.HdrHistogram.Histogram;

import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Measures what becomes of a filter when it grows: how long its warm-up takes from a
 * source that is no database, whether Redis answers meanwhile, with a replica that has to
 * get it all, and how long lookups take then. The heap is what the JVM is given by
 * {@code -Xmx}.
 */
public final class GrowthRunner {

	private static final int LOOKUPS = 200_000;

	private static final long WARM_UP = 100_000;

	private GrowthRunner() {
	}

	/**
	 * Measure.
	 * @param args {@code --keys=10000,1000000} says which sizes, {@code --max-memory} how
	 * much memory the warm-up may take, {@code --mirrors-up-to} the number of keys up to
	 * which lookups in a mirror are measured, {@code --shard-size} how large a string of
	 * the filter may be, {@code --used-memory} how much memory both servers have used
	 * before, see {@link RedisWire#useMemory}
	 */
	public static void main(String[] args) {
		SimpleCommandLinePropertySource given = new SimpleCommandLinePropertySource(args);
		List<Long> sizes = Stream
			.of(StringUtils
				.commaDelimitedListToStringArray(Options.value(given, "keys", "10000,100000,1000000,10000000")))
			.map(Long::valueOf)
			.toList();
		String maxMemory = Options.value(given, "max-memory", "64MB");
		long mirrors = Long.parseLong(Options.value(given, "mirrors-up-to", "100000000"));
		String shardSize = Options.value(given, "shard-size", "16MB");
		long used = DataSize.parse(Options.value(given, "used-memory", "0")).toBytes();
		System.out.printf("A heap of %,d MB, of which max-memory is %s%n", Runtime.getRuntime().maxMemory() >> 20,
				maxMemory);
		System.out.println("| keys | p | warm-up s | keys/s | Redis MB | PING p99.9 ms | longest PING ms"
				+ " | lookup in Redis p50 µs | p99 µs | in the mirror p50 ns | p99 ns |");
		System.out.println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
		measure(WARM_UP, maxMemory, shardSize, true, 0);
		sizes.forEach((keys) -> System.out.println(measure(keys, maxMemory, shardSize, keys <= mirrors, used)));
	}

	private static String measure(long keys, String maxMemory, String shardSize, boolean mirror, long used) {
		try (LocalRedis redis = LocalRedis.start("repl-diskless-sync yes", "repl-diskless-sync-delay 0");
				LocalRedis replica = LocalRedis.start();
				RedisWire wire = redis.wire();
				RedisWire replicaWire = replica.wire()) {
			if (used > 0) {
				replicaWire.useMemory(used);
				wire.useMemory(used);
			}
			replicaWire.follow(redis);
			long before = wire.memoryOfData();
			PingProcess pings = PingProcess.watch(redis);
			long begun = System.nanoTime();
			try (MirrorInstance builder = MirrorInstance.start(redis.port(), keys, false,
					"warm-up.max-memory=" + maxMemory, "shard-size=" + shardSize)) {
				builder.awaitAnswers();
				double seconds = (System.nanoTime() - begun) / 1e9;
				double[] pauses = pings.end();
				Histogram inRedis = lookups(keys, LOOKUPS / 10, (key) -> builder.guard().mightContain("products", key));
				String mirrored = mirror ? mirrored(redis, keys) : "– | –";
				return String.format(Locale.ROOT,
						"| %,d | %s | %.1f | %,.0f | %,.1f | %.1f | %.1f | %.0f | %.0f | %s |", keys,
						MirrorInstance.PROBABILITY, seconds, keys / seconds, (wire.memoryOfData() - before) / 1e6,
						pauses[0], pauses[1], inRedis.getValueAtPercentile(50) / 1e3,
						inRedis.getValueAtPercentile(99) / 1e3, mirrored);
			}
		}
	}

	private static String mirrored(LocalRedis redis, long keys) {
		try (MirrorInstance instance = MirrorInstance.start(redis.port(), keys, true).awaitAnswers()) {
			Histogram times = lookups(keys, LOOKUPS, (key) -> instance.guard().mightContain("products", key));
			return String.format(Locale.ROOT, "%,d | %,d", times.getValueAtPercentile(50),
					times.getValueAtPercentile(99));
		}
	}

	/**
	 * Half of the keys are there. The first half of the lookups is not counted.
	 */
	private static Histogram lookups(long keys, int count, LongPredicate lookup) {
		Histogram times = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
		for (int i = -count; i < count; i++) {
			long key = ThreadLocalRandom.current().nextLong(2 * keys);
			long begun = System.nanoTime();
			boolean found = lookup.test(key);
			long taken = System.nanoTime() - begun;
			if (!found && key < keys) {
				throw new IllegalStateException("The key " + key + " is missing");
			}
			if (i >= 0) {
				times.recordValue(taken);
			}
		}
		return times;
	}

}
