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

package io.github.bloomguard.benchmarks.contender;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.bloomguard.benchmarks.server.LocalPostgres;
import org.jspecify.annotations.Nullable;

/**
 * Contenders, started, over the same table.
 */
public final class Contenders implements AutoCloseable {

	/**
	 * The probability that filters asked by hand usually have.
	 */
	private static final double BY_HAND = 0.01;

	/**
	 * The default of bloom-guard.
	 */
	private static final double GUARDED = 0.001;

	private final List<Contender> all;

	private final Map<Contender, Contender> before;

	private Contenders(List<Contender> all, Map<Contender, Contender> before) {
		this.all = all;
		this.before = before;
	}

	/**
	 * Start all ways to read a product. Each one has the driver that its users have.
	 * @param postgres where the table of products is
	 * @param rows the number of rows
	 * @return the contenders, the last one of them bloom-guard
	 */
	public static Contenders all(LocalPostgres postgres, int rows) {
		Contender plain = plain(postgres, Driver.LETTUCE);
		List<Contender> all = List.of(new BareMethod(new ProductTable(postgres)), plain,
				new RedissonGuard(plain(postgres, Driver.REDISSON), rows, BY_HAND),
				new JetCache(new ProductTable(postgres)),
				new GuavaGuard(plain(postgres, Driver.LETTUCE), rows, BY_HAND),
				new GuavaGuard(plain(postgres, Driver.LETTUCE), rows, GUARDED), guarded(postgres, rows, false, true),
				guarded(postgres, rows, true, false), guarded(postgres, rows, true, true));
		Map<Contender, Contender> before = new LinkedHashMap<>();
		all.forEach((contender) -> before.put(contender, plain));
		return new Contenders(all, before);
	}

	/**
	 * Start what shows what the guarded caches cost, without and with them for each
	 * driver.
	 * @param postgres where the table of products is
	 * @return the contenders
	 */
	public static Contenders caches(LocalPostgres postgres) {
		List<Contender> all = new ArrayList<>();
		Map<Contender, Contender> before = new LinkedHashMap<>();
		for (Driver driver : Driver.values()) {
			Contender plain = plain(postgres, driver);
			Contender guarded = new GuardedCaches(new ProductTable(postgres), postgres.dataSource(), driver, 0);
			all.addAll(List.of(plain, guarded));
			before.put(guarded, plain);
		}
		Contender refreshing = new GuardedCaches(new ProductTable(postgres), postgres.dataSource(), Driver.LETTUCE, 1);
		before.put(refreshing, all.get(0));
		all.add(refreshing);
		Contender memory = new CachesInMemory(new ProductTable(postgres), postgres.dataSource());
		before.put(memory, all.get(0));
		all.add(memory);
		return new Contenders(List.copyOf(all), before);
	}

	private static GuardedCacheable guarded(LocalPostgres postgres, int rows, boolean mirror, boolean verified) {
		return new GuardedCacheable(new ProductTable(postgres), postgres.dataSource(), rows, GUARDED, mirror, verified);
	}

	private static PlainCacheable plain(LocalPostgres postgres, Driver driver) {
		return new PlainCacheable(new ProductTable(postgres), postgres.dataSource(), driver);
	}

	/**
	 * Return the contenders.
	 * @return the contenders in the order of the table
	 */
	public List<Contender> all() {
		return this.all;
	}

	/**
	 * Return what an application has before it does what a contender does.
	 * @param contender the contender
	 * @return what it is compared with, {@code null} for nothing
	 */
	public @Nullable Contender before(Contender contender) {
		return this.before.get(contender);
	}

	/**
	 * Return bloom-guard.
	 * @return the last contender
	 */
	public Contender guard() {
		return this.all.get(this.all.size() - 1);
	}

	@Override
	public void close() {
		this.all.forEach(Contender::close);
	}

}
