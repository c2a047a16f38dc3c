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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.cache.CacheGuard;
import io.github.bloomguard.cache.CacheRules;
import io.github.bloomguard.call.Answer;

/**
 * Writes 100,000 entries with a time to live of a minute, with and without the guard, and
 * writes to a CSV file how many of them expire in each second.
 */
public final class Expirations {

	private static final int ENTRIES = 100_000;

	private static final Duration TTL = Duration.ofMinutes(1);

	private static final int SECONDS = 70;

	private static final byte[] REMAINING = """
			local remaining = {}
			for i = tonumber(ARGV[2]), tonumber(ARGV[3]) do
				remaining[#remaining + 1] = redis.call('PTTL', ARGV[1] .. i)
			end
			return remaining
			""".getBytes(StandardCharsets.UTF_8);

	private Expirations() {
	}

	/**
	 * Measure.
	 * @param args the name of the file
	 */
	public static void main(String[] args) {
		try (LocalRedis redis = LocalRedis.start();
				CacheGuard guard = new CacheGuard(redis.connectionFactory(), "bloom-guard",
						(name) -> CacheRules.DEFAULT, List.of(), Runnable::run, Duration.ofSeconds(1),
						(cache, key) -> () -> Answer.of(true), Stream::empty)) {
			RedisConnectionFactory connectionFactory = redis.connectionFactory();
			RedisCacheWriter plain = RedisCacheWriter.create(connectionFactory,
					(configurer) -> configurer.immediateWrites());
			int[] without = expirations(plain, connectionFactory, "plain");
			int[] with = expirations(guard.writer(), connectionFactory, "guarded");
			List<String> lines = IntStream.range(0, SECONDS)
				.mapToObj((second) -> second + "," + without[second] + "," + with[second])
				.toList();
			Files.writeString(Path.of(args[0]),
					"second,without jitter,with jitter\n" + String.join("\n", lines) + "\n");
			double mean = ENTRIES / (0.2 * TTL.toSeconds());
			System.out.printf("busiest second: %,d without jitter; %,d with jitter, %.2f times the mean%n",
					Arrays.stream(without).max().orElse(0), Arrays.stream(with).max().orElse(0),
					Arrays.stream(with).max().orElse(0) / mean);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write the entries one after the other and ask for the time of each expiry, counted
	 * from the write of the entry, so that the time that writing takes spreads nothing.
	 */
	private static int[] expirations(RedisCacheWriter writer, RedisConnectionFactory connectionFactory, String name) {
		int[] perSecond = new int[SECONDS];
		int chunk = 100;
		try (RedisConnection connection = connectionFactory.getConnection()) {
			for (int from = 0; from < ENTRIES; from += chunk) {
				for (int i = from; i < from + chunk; i++) {
					writer.put(name, (name + i).getBytes(StandardCharsets.UTF_8), new byte[] { 1 }, TTL);
				}
				List<Long> remaining = connection.scriptingCommands()
					.eval(REMAINING, ReturnType.MULTI, 0, bytes(name), bytes(from), bytes(from + chunk - 1));
				if (remaining != null) {
					remaining.forEach((millis) -> perSecond[(int) ((millis - 1) / 1000)]++);
				}
			}
		}
		return perSecond;
	}

	private static byte[] bytes(Object value) {
		return value.toString().getBytes(StandardCharsets.UTF_8);
	}

}
