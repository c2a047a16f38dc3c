package io.github.bloomguard.benchmarks.warmup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;

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

	private final KeyTable table;

	private final ConfigurableApplicationContext context;

	private final BloomGuard guard;

	GuardWarmUp(KeyTable table, FilterSize size, List<String> properties) {
		this.table = table;
		List<String> all = new ArrayList<>(List.of(this.redis.properties()));
		all.addAll(List.of(PREFIX + "expected-insertions=" + size.expectedInsertions(),
				PREFIX + "false-positive-probability=" + size.falsePositiveProbability(),
				PREFIX + "warm-up.query=" + KeyTable.QUERY, PREFIX + "warm-up.on-startup=never",
				PREFIX + "rebuild.longest-transaction=100ms", "bloom-guard.timeout=10s", "spring.main.banner-mode=off",
				"spring.main.register-shutdown-hook=false"));
		properties.forEach((property) -> all.add(PREFIX + "warm-up." + property));
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(all.toArray(String[]::new))
			.initializers((context) -> ((GenericApplicationContext) context).getBeanFactory()
				.registerSingleton("dataSource", table.dataSource()))
			.run();
		this.guard = this.context.getBean(BloomGuard.class);
	}

	@Override
	public String name() {
		return "bloom-guard's warm-up";
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
