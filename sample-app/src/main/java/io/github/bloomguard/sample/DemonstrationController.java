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

package io.github.bloomguard.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * What the page at {@code /} needs: an attack to start and to stop, and the figures that
 * it shows. An application that is not a sample has no such class.
 */
@RestController
@RequestMapping("/demo")
class DemonstrationController {

	private final Attack attack;

	private final QueryCounter queries;

	private final RedisConnectionFactory redis;

	private final ShadowCatalogue shadow;

	private final RequestTrace trace;

	DemonstrationController(Attack attack, QueryCounter queries, RedisConnectionFactory redis, ShadowCatalogue shadow,
			RequestTrace trace) {
		this.attack = attack;
		this.queries = queries;
		this.redis = redis;
		this.shadow = shadow;
		this.trace = trace;
	}

	@GetMapping
	Figures figures() {
		Map<String, Long> answers = new LinkedHashMap<>();
		for (ServedBy who : ServedBy.values()) {
			answers.put(who.toString(), this.attack.answers(who));
		}
		Attack.Plan plan = this.attack.plan();
		Instant now = Instant.now();
		long[] latencies = this.attack.latencies();
		return new Figures(now, (plan != null) ? plan.rate() : null, plan == null || plan.guarded(),
				(plan != null) ? Duration.between(now, plan.end()).toSeconds() : 0, answers, this.attack.failures(),
				this.queries.stats().queries(), usedMemory(), quantile(latencies, 0.5), quantile(latencies, 0.99));
	}

	@PostMapping("/attack")
	Figures start(@RequestBody @Valid Wish wish) {
		this.attack.start(wish.rate(), wish.guarded());
		return figures();
	}

	@DeleteMapping("/attack")
	Figures stop() {
		this.attack.stop();
		return figures();
	}

	@GetMapping("/products/{id}")
	ResponseEntity<Product> one(@PathVariable long id) {
		Product product = this.shadow.findById(id);
		return ResponseEntity.status((product != null) ? HttpStatus.OK : HttpStatus.NOT_FOUND)
			.header(ServedBy.HEADER, this.trace.servedBy(product).toString())
			.body(product);
	}

	private long usedMemory() {
		try (RedisConnection connection = this.redis.getConnection()) {
			Properties memory = connection.serverCommands().info("memory");
			return (memory != null) ? Long.parseLong(memory.getProperty("used_memory", "0")) : 0;
		}
	}

	private static @Nullable Long quantile(long[] sorted, double share) {
		return (sorted.length == 0) ? null : sorted[(int) (share * (sorted.length - 1))];
	}

	/**
	 * How to attack.
	 *
	 * @param rate how many requests a second
	 * @param guarded whether the filter may answer, or only watches
	 */
	record Wish(@Min(1) @Max(Attack.MAX_RATE) int rate, boolean guarded) {

	}

	/**
	 * What is counted since the start.
	 *
	 * @param time when
	 * @param rate with how many requests a second it is attacked, {@code null} if it is
	 * not
	 * @param guarded whether the filter answers, or only watches
	 * @param secondsLeft after how long the attack stops by itself
	 * @param answers how many requests of the attack were answered by whom
	 * @param failures how many were not
	 * @param queries how many queries have reached the database
	 * @param redisBytes how much memory Redis uses
	 * @param medianMicros how long the latest requests took, the median
	 * @param slowMicros how long all but one of a hundred took at most
	 */
	record Figures(Instant time, @Nullable Integer rate, boolean guarded, long secondsLeft, Map<String, Long> answers,
			long failures, long queries, long redisBytes, @Nullable Long medianMicros, @Nullable Long slowMicros) {

	}

}
