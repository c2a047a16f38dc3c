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

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * Sends this application requests for products, most of which exist nowhere: a new random
 * id each time, and now and then one again that has reached the database. It sends them
 * over HTTP, as anybody would, never more than {@value #MAX_RATE} a second, and stops by
 * itself after a minute.
 */
@Component
class Attack {

	static final int MAX_RATE = 2000;

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private static final int TICKS_PER_SECOND = 50;

	private static final int MAX_UNDER_WAY = 64;

	private static final int POPULAR = 40;

	private static final int REMEMBERED = 100;

	private static final int LATENCIES = 1024;

	private final ScheduledExecutorService scheduler = Executors
		.newSingleThreadScheduledExecutor(threads("demonstration-attack-"));

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.executor(Executors.newFixedThreadPool(2, threads("demonstration-http-")))
		.build();

	private final Semaphore underWay = new Semaphore(MAX_UNDER_WAY);

	private final Map<ServedBy, LongAdder> answers = new EnumMap<>(ServedBy.class);

	private final LongAdder failures = new LongAdder();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicLongArray micros = new AtomicLongArray(LATENCIES);

	private final ConcurrentLinkedQueue<Long> found = new ConcurrentLinkedQueue<>();

	private final Environment environment;

	private volatile @Nullable Plan plan;

	private @Nullable ScheduledFuture<?> ticks;

	Attack(Environment environment) {
		this.environment = environment;
		for (ServedBy who : ServedBy.values()) {
			this.answers.put(who, new LongAdder());
		}
	}

	private static CustomizableThreadFactory threads(String prefix) {
		CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
		threads.setDaemon(true);
		return threads;
	}

	/**
	 * Begin, or go on in another way.
	 * @param rate how many requests a second
	 * @param guarded whether the filter may answer, or only watches
	 */
	synchronized void start(int rate, boolean guarded) {
		if (this.plan == null) {
			this.found.clear();
		}
		this.plan = new Plan(rate, guarded, Instant.now().plus(LONGEST));
		if (this.ticks == null) {
			this.ticks = this.scheduler.scheduleAtFixedRate(new Ticks(), 0, 1000 / TICKS_PER_SECOND,
					TimeUnit.MILLISECONDS);
		}
	}

	synchronized void stop() {
		this.plan = null;
		if (this.ticks != null) {
			this.ticks.cancel(false);
			this.ticks = null;
		}
	}

	@PreDestroy
	void close() {
		stop();
		this.scheduler.shutdownNow();
	}

	@Nullable Plan plan() {
		return this.plan;
	}

	long answers(ServedBy who) {
		return Objects.requireNonNull(this.answers.get(who)).sum();
	}

	long failures() {
		return this.failures.sum();
	}

	/**
	 * Return how long the latest requests took.
	 * @return the times in microseconds in ascending order
	 */
	long[] latencies() {
		int count = (int) Math.min(this.answered.get(), LATENCIES);
		long[] latest = new long[count];
		Arrays.setAll(latest, this.micros::get);
		Arrays.sort(latest);
		return latest;
	}

	private void send(Plan plan) {
		if (!this.underWay.tryAcquire()) {
			return;
		}
		long id = next();
		URI uri = URI.create("http://localhost:%s/%s/%d".formatted(this.environment.getProperty("local.server.port"),
				plan.guarded() ? "products" : "demo/products", id));
		long start = System.nanoTime();
		this.http
			.sendAsync(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
					HttpResponse.BodyHandlers.discarding())
			.whenComplete((response, failure) -> {
				this.underWay.release();
				if (failure == null) {
					long index = this.answered.getAndIncrement() % LATENCIES;
					this.micros.set((int) index, (System.nanoTime() - start) / 1000);
					count(id, response);
				}
				else {
					this.failures.increment();
				}
			});
	}

	/**
	 * One of ten asks for a product that exists, one of ten for what has got through.
	 */
	private long next() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		int draw = random.nextInt(10);
		if (draw == 0) {
			return 1 + random.nextInt(POPULAR);
		}
		Long again = (draw == 1) ? this.found.poll() : null;
		if (again != null) {
			this.found.add(again);
			return again;
		}
		return random.nextLong(1_000_000_000, Long.MAX_VALUE);
	}

	private void count(long id, HttpResponse<?> response) {
		ServedBy who = response.headers()
			.firstValue(ServedBy.HEADER)
			.map((name) -> ServedBy.valueOf(name.toUpperCase(Locale.ROOT)))
			.orElse(null);
		if (who == null) {
			this.failures.increment();
			return;
		}
		Objects.requireNonNull(this.answers.get(who)).increment();
		if (who == ServedBy.DATABASE && response.statusCode() == 404 && this.found.size() < REMEMBERED) {
			this.found.add(id);
		}
	}

	/**
	 * How it is attacked.
	 *
	 * @param rate how many requests a second
	 * @param guarded whether the filter may answer, or only watches
	 * @param end when it stops
	 */
	record Plan(int rate, boolean guarded, Instant end) {

	}

	/**
	 * Sends as many requests at each tick as are due.
	 */
	private final class Ticks implements Runnable {

		private double due;

		@Override
		public void run() {
			Plan plan = Attack.this.plan;
			if (plan == null || plan.end().isBefore(Instant.now())) {
				stop();
				return;
			}
			this.due += (double) plan.rate() / TICKS_PER_SECOND;
			for (; this.due >= 1; this.due--) {
				send(plan);
			}
		}

	}

}
