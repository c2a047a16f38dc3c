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

package io.github.bloomguard.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.warmup.WarmUpProgress.Status;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts what an application with several filters writes to its log while something is
 * wrong and it is under load. What would be written in a second would be more than is
 * allowed in a minute.
 */
@Timeout(120)
@Tag("slow")
class LogLinesTests {

	private static final List<String> FILTERS = IntStream.rangeClosed(1, 3).mapToObj((i) -> "filter" + i).toList();

	private static final Pattern ABOUT = Pattern.compile("filter '");

	private static final int LAST = 100;

	private final AtomicBoolean broken = new AtomicBoolean();

	private final AtomicInteger failures = new AtomicInteger();

	private TestRedis redis;

	@BeforeEach
	void startRedis() {
		this.redis = TestRedis.start();
	}

	@AfterEach
	void stopRedis() {
		this.redis.close();
	}

	@Test
	void redisThatDoesNotAnswerIsWrittenWhenItBeginsAndWhenItEnds() {
		List<String> lines = lines((application) -> {
			this.redis.kill();
			load(application, (id) -> application.bean(BloomGuard.class).mightContain("filter1", id));
			awaitState(application, FilterState.UNREACHABLE);
			this.redis.restart();
			awaitState(application, FilterState.READY);
		});
		assertThat(lines).filteredOn((line) -> line.startsWith("WARN Redis does not answer")).hasSize(1);
		assertThat(lines).filteredOn((line) -> line.startsWith("WARN Redis answers again")).hasSize(1);
	}

	@Test
	void filtersThatAreLostAgainAndAgainAreNotWrittenEachTime() {
		List<String> lines = lines((application) -> {
			for (int i = 0; i < 5; i++) {
				Set<String> before = generations(application);
				this.redis.command("FLUSHALL");
				Awaitility.await().until(() -> {
					Set<String> now = generations(application);
					return now.size() == before.size() && Collections.disjoint(now, before);
				});
				awaitState(application, FilterState.READY);
			}
		});
		assertThat(lines).anyMatch((line) -> line.matches("WARN The filter 'filter\\d' is LOST.*"))
			.anyMatch((line) -> line.matches("WARN The filter 'filter\\d' is READY, it was LOST.*"));
	}

	@Test
	void sourceThatFailsIsNotWrittenEachTime() {
		List<String> lines = lines((application) -> {
			this.broken.set(true);
			this.redis.command("FLUSHALL");
			Awaitility.await().until(() -> this.failures.get() > 3 * FILTERS.size());
			this.broken.set(false);
			Awaitility.await().until(() -> filters(application).anyMatch((state) -> state == FilterState.READY));
		});
		assertThat(lines)
			.anyMatch((line) -> line.matches("WARN Warm-up of the filter 'filter\\d' failed.*IOException: broken.*"));
	}

	private List<String> lines(Consumer<GuardApplication> fault, Object... beansAndProperties) {
		List<Object> beans = new ArrayList<>();
		List<String> properties = new ArrayList<>(List.of(this.redis.properties()));
		for (String name : FILTERS) {
			Keys keys = new Keys(name, LAST);
			keys.beforeRead(this::failIfBroken);
			beans.add(keys);
			properties.addAll(Stream
				.of("expected-insertions=1000", "rebuild.longest-transaction=1ms", "verification.required-calls=0",
						"rebuild.settle=0s", "warm-up.recheck-empty=0s")
				.map((property) -> "bloom-guard.filters." + name + "." + property)
				.toList());
		}
		properties.add("bloom-guard.filters.products.mode=off");
		properties.add("bloom-guard.timeout=200ms");
		for (Object beanOrProperty : beansAndProperties) {
			if (beanOrProperty instanceof String property) {
				properties.add(property);
			}
			else {
				beans.add(beanOrProperty);
			}
		}
		try (GuardApplication application = GuardApplication.start(beans, properties.toArray(String[]::new))) {
			awaitState(application, properties.stream().anyMatch((property) -> property.endsWith("mode=shadow"))
					? FilterState.SHADOW : FilterState.READY);
			// what is written of the start does not count
			Awaitility.await()
				.until(() -> FILTERS.stream()
					.map(application.bean(ManagedFilters.class)::find)
					.allMatch((managed) -> managed.warmUp().progress().status() == Status.COMPLETED));
			try (LogLines lines = LogLines.ofTheGuard()) {
				long begun = System.nanoTime();
				fault.accept(application);
				long minutes = Duration.ofNanos(System.nanoTime() - begun).toMinutes() + 1;
				assertThat(lines.lines().stream().collect(Collectors.groupingBy(LogLinesTests::thing)).values())
					.as("a problem and its end, or two that end, in a minute")
					.isNotEmpty()
					.allMatch((same) -> same.size() <= 2 * minutes);
				assertThat(lines.events()).allMatch((event) -> event.getThrowableProxy() == null);
				assertThat(lines.events()).filteredOn((event) -> ABOUT.matcher(event.getFormattedMessage()).find())
					.allSatisfy((event) -> assertThat(event.getFormattedMessage())
						.contains("'" + event.getMDCPropertyMap().get(LogFields.FILTER) + "'"));
				return lines.lines();
			}
		}
	}

	/**
	 * Return what a line is about, without what differs between two of them.
	 */
	private static String thing(String line) {
		return line.replaceFirst("(, it was|: | \\().*", "");
	}

	private void failIfBroken() {
		if (this.broken.get()) {
			this.failures.incrementAndGet();
			throw new UncheckedIOException(new IOException("broken"));
		}
	}

	/**
	 * Make calls from several threads, and ask for the fill level as often.
	 */
	private static void load(GuardApplication application, IntConsumer call) {
		FillLevel fillLevel = application.bean(ManagedFilters.class).find("filter1").fillLevel();
		CompletableFuture.allOf(IntStream.range(0, 4).mapToObj((thread) -> CompletableFuture.runAsync(() -> {
			for (int i = 0; i < 200; i++) {
				call.accept(LAST + 1 + 4 * i + thread);
				fillLevel.latest();
			}
		}, (task) -> new Thread(task).start())).toArray(CompletableFuture<?>[]::new))
			.orTimeout(60, TimeUnit.SECONDS)
			.join();
	}

	private static Set<String> generations(GuardApplication application) {
		return application.bean(ManagedFilters.class)
			.stream()
			.filter((managed) -> FILTERS.contains(managed.name()))
			.map((managed) -> managed.filter().active())
			.filter(Objects::nonNull)
			.map(Generation::id)
			.collect(Collectors.toSet());
	}

	private static void awaitState(GuardApplication application, FilterState state) {
		Awaitility.await().until(() -> filters(application).allMatch((known) -> known == state));
	}

	private static Stream<FilterState> filters(GuardApplication application) {
		Map<String, FilterState> states = application.bean(ManagedFilters.class)
			.stream()
			.filter((managed) -> FILTERS.contains(managed.name()))
			.collect(Collectors.toMap(ManagedFilter::name, (managed) -> managed.filter().state()));
		return states.values().stream();
	}

}
