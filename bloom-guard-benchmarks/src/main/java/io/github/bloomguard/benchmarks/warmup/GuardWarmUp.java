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

package io.github.bloomguard.benchmarks.warmup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import org.hibernate.SessionFactory;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.Assert;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * bloom-guard's own warm-up, from the call of {@code rebuild} until the new generation
 * answers: reading, writing, replaying the journal, sealing.
 */
final class GuardWarmUp implements Loading {

	private static final int SAMPLES = 10_000;

	private static final String PREFIX = "bloom-guard.filters.entries.";

	private final LocalRedis redis = LocalRedis.start();

	private final String name;

	private final KeyTable table;

	private final ConfigurableApplicationContext context;

	private final BloomGuard guard;

	private GuardWarmUp(String name, KeyTable table, FilterSize size, List<String> properties,
			Consumer<GenericApplicationContext> beans) {
		this.name = "%s (p = %s)".formatted(name, size.falsePositiveProbability());
		this.table = table;
		List<String> all = new ArrayList<>(List.of(this.redis.properties()));
		all.addAll(List.of(PREFIX + "expected-insertions=" + size.expectedInsertions(),
				PREFIX + "false-positive-probability=" + size.falsePositiveProbability(),
				PREFIX + "warm-up.on-startup=never", PREFIX + "rebuild.longest-transaction=100ms",
				"bloom-guard.timeout=10s", "spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false"));
		properties.forEach((property) -> all.add(PREFIX + property));
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(all.toArray(String[]::new))
			.initializers((context) -> {
				((GenericApplicationContext) context).getBeanFactory()
					.registerSingleton("dataSource", table.dataSource());
				beans.accept((GenericApplicationContext) context);
			})
			.run();
		this.guard = this.context.getBean(BloomGuard.class);
	}

	/**
	 * Load with a query.
	 */
	static GuardWarmUp ofQuery(KeyTable table, FilterSize size, List<String> properties) {
		return new GuardWarmUp("bloom-guard's warm-up", table, size,
				with(properties, "warm-up.query=" + KeyTable.QUERY), (context) -> {
				});
	}

	/**
	 * Load through the mapping of an entity, by the same number of connections.
	 */
	static GuardWarmUp ofEntity(KeyTable table, FilterSize size, List<String> properties) {
		return new GuardWarmUp("the same, of an entity", table, size,
				with(properties, "entity=" + Entry.class.getName(), "warm-up.partitions=1"),
				(context) -> context.registerBean(SessionFactory.class, () -> Entry.sessions(table.dataSource())));
	}

	private static List<String> with(List<String> properties, String... more) {
		return Stream.concat(Stream.of(more), properties.stream().map((property) -> "warm-up." + property)).toList();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public long run() {
		this.guard.rebuild("entries").join();
		return this.table.keys();
	}

	@Override
	public void verify() {
		int absent = 0;
		for (int i = 0; i < SAMPLES; i++) {
			long key = ThreadLocalRandom.current().nextLong(1, this.table.keys() + 1);
			Membership present = this.guard.membership("entries", key);
			Assert.state(present == Membership.MAYBE, () -> "The key " + key + " is " + present);
			absent += (this.guard.membership("entries", -key) == Membership.ABSENT) ? 1 : 0;
		}
		Assert.state(absent > 0.97 * SAMPLES, "Too many false positives: " + (SAMPLES - absent));
	}

	@Override
	public LocalRedis redis() {
		return this.redis;
	}

	@Override
	public void close() {
		this.context.close();
		this.redis.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
