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

package io.github.bloomguard.benchmarks.mirror;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.MirrorStatus.State;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An instance of an application with a filter of numbers.
 */
public final class MirrorInstance implements AutoCloseable {

	/**
	 * The probability of a false positive, which is the default.
	 */
	public static final double PROBABILITY = 0.001;

	private final ConfigurableApplicationContext context;

	private final boolean mirror;

	private MirrorInstance(ConfigurableApplicationContext context, boolean mirror) {
		this.context = context;
		this.mirror = mirror;
	}

	/**
	 * Start an instance.
	 * @param redis the port of its Redis
	 * @param keys how many keys there are
	 * @param mirror whether it has a mirror
	 * @param more more properties of the filter, as {@code name=value}
	 * @return the instance, whose filter need not be ready
	 */
	public static MirrorInstance start(int redis, long keys, boolean mirror, String... more) {
		return new MirrorInstance(new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis,
					"bloom-guard.filters.products.expected-insertions=" + keys,
					"bloom-guard.filters.products.false-positive-probability=" + PROBABILITY,
					"bloom-guard.filters.products.verification.required-calls=0",
					"bloom-guard.filters.products.rebuild.settle=0s",
					"bloom-guard.filters.products.rebuild.longest-transaction=100ms",
					"bloom-guard.filters.products.mirror.enabled=" + mirror,
					"bloom-guard.filters.products.mirror.max-memory=256MB", "spring.main.banner-mode=off",
					"spring.main.register-shutdown-hook=false", "logging.level.root=warn",
					"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
			.properties(Stream.of(more)
				.map((property) -> "bloom-guard.filters.products." + property)
				.toArray(String[]::new))
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(Numbers.class,
					() -> new Numbers(keys)))
			.run(), mirror);
	}

	/**
	 * Be an instance in a process of its own.
	 * @param args the port of Redis and the number of keys
	 * @throws Exception if what this prints is not read
	 */
	public static void main(String[] args) throws Exception {
		try (MirrorInstance instance = start(Integer.parseInt(args[0]), Long.parseLong(args[1]), true)) {
			instance.awaitAnswers();
			System.out.println("ready");
			while (System.in.read() >= 0) {
				// until its parent ends
			}
		}
	}

	/**
	 * Wait until the filter answers, and the mirror if there is one.
	 * @return this
	 */
	public MirrorInstance awaitAnswers() {
		while (filter().state() != FilterState.READY
				|| (this.mirror && filter().mirrorStatus().state() != State.ANSWERING)) {
			LockSupport.parkNanos(1_000_000);
		}
		return this;
	}

	/**
	 * Return what adds keys.
	 * @return the guard
	 */
	public BloomGuard guard() {
		return this.context.getBean(BloomGuard.class);
	}

	/**
	 * Return the filter.
	 * @return the filter, with its mirror
	 */
	public GenerationalFilter filter() {
		return Objects.requireNonNull(this.context.getBean(ManagedFilters.class).find("products")).filter();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Gives numbers.
	 */
	private record Numbers(long limit) implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return LongStream.range(0, this.limit).boxed();
		}

		@Override
		public List<Supplier<Stream<?>>> partitions() {
			long half = this.limit / 2;
			return List.of(() -> LongStream.range(0, half).boxed(), () -> LongStream.range(half, this.limit).boxed());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
