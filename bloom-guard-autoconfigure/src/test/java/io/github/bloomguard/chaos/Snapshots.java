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

package io.github.bloomguard.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import io.github.bloomguard.chaos.Instance.Running;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions that read from a snapshot for longer than it is known which keys were
 * added lately. They rightly don't find the rows that were inserted meanwhile, which must
 * not be remembered for others.
 */
final class Snapshots {

	/**
	 * Longer than a load and an add may take and a transaction may be open, together.
	 */
	private static final Duration AGE = Duration.ofSeconds(50);

	private static final int ROWS = 200;

	private final List<Instance> instances;

	private final Ledger ledger;

	private final Oracle oracle;

	Snapshots(List<Instance> instances, Ledger ledger, Oracle oracle) {
		this.instances = instances;
		this.ledger = ledger;
		this.oracle = oracle;
	}

	/**
	 * Read from old snapshots, and ask once more for what they did not have.
	 */
	void read(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			// not use(), which would hold up whoever replaces the instance
			Instance instance = this.instances.get(random.nextInt(this.instances.size()));
			try {
				read(instance.running(), goesOn);
			}
			catch (RuntimeException ex) {
				// its application was closed meanwhile
				this.oracle.count("snapshot: failed");
			}
		}
	}

	private void read(Running running, BooleanSupplier goesOn) {
		TransactionTemplate transaction = new TransactionTemplate(
				running.application().bean(PlatformTransactionManager.class));
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.ledger.begin();
		List<Long> added = transaction.execute((status) -> {
			running.application().bean(JdbcTemplate.class).queryForObject("select count(*) from product", Long.class);
			long next = this.ledger.nextId();
			long end = System.nanoTime() + AGE.toNanos();
			while (System.nanoTime() < end && goesOn.getAsBoolean()) {
				Faults.pause(100);
			}
			List<Long> ids = LongStream.range(next, next + ROWS).boxed().toList();
			ids.forEach((id) -> {
				if (running.products().find(Shapes.asked(id)) == null) {
					this.oracle.count("snapshot: does not have a row");
				}
			});
			return ids;
		});
		added.forEach((id) -> {
			long began = System.nanoTime();
			if (running.products().find(Shapes.asked(id)) == null) {
				this.oracle.absent(id, began, () -> "after a snapshot had not had it");
			}
		});
	}

}
