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
package io.github.bloomguard.entity;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.Archive.Letter;
import io.github.bloomguard.entity.Archive.Note;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Deletes rows softly and restores them, in two instances with mirrors, while others ask
 * for them: a row that stays in its table is never called absent. It runs for some
 * seconds, or as long as {@code -Dchaos.duration=10m} says, and on a busy machine until
 * there was enough of it.
 */
@Tag("slow")
class SoftDeletionProofTests {

	private static final int ROWS = 400;

	private static final int WRITERS = 4;

	private final Duration duration = DurationStyle.detectAndParse(System.getProperty("chaos.duration", "3s"));

	@AutoClose
	private final TestRedis redis = TestRedis.start();

	private final TestPostgres postgres = TestPostgres.create();

	private final Set<String> committed = ConcurrentHashMap.newKeySet();

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	private final LongAdder deleted = new LongAdder();

	private final LongAdder asked = new LongAdder();

	private final LongAdder absent = new LongAdder();

	@Test
	void rowThatIsDeletedSoftlyIsNeverAbsent() throws Exception {
		try (GuardApplication one = start(); GuardApplication other = start()) {
			List<GuardApplication> instances = List.of(Shop.awaitReady(one), Shop.awaitReady(other));
			long stop = System.nanoTime() + this.duration.toNanos();
			long longest = stop + TimeUnit.MINUTES.toNanos(1);
			BooleanSupplier goesOn = () -> System.nanoTime() < stop || (!isEnough() && System.nanoTime() < longest);
			ExecutorService threads = Executors.newCachedThreadPool();
			List<Future<?>> tasks = new ArrayList<>();
			for (GuardApplication instance : instances) {
				EntityManagerFactory unit = instance.bean(EntityManagerFactory.class);
				for (int i = 0; i < 2; i++) {
					Random random = new Random(i);
					int writer = 2 * instances.indexOf(instance) + i;
					tasks.add(threads.submit(() -> write(unit, writer, random, goesOn)));
					tasks.add(threads.submit(() -> read(instance, random, goesOn)));
				}
			}
			while (goesOn.getAsBoolean()) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
				instances.forEach((instance) -> EntityRemovalTests.forgetWhatWasAdded(this.redis, instance));
			}
			for (Future<?> task : tasks) {
				task.get(1, TimeUnit.MINUTES);
			}
			threads.shutdown();
		}
		System.out.printf("soft deletions for %s: %,d rows deleted, %,d asked for, %,d that never were absent%n",
				this.duration, this.deleted.sum(), this.asked.sum(), this.absent.sum());
		assertThat(this.violations).isEmpty();
		assertThat(isEnough()).isTrue();
	}

	private boolean isEnough() {
		return this.deleted.sum() > 100 && this.asked.sum() > 1_000 && this.absent.sum() > 1_000;
	}

	private GuardApplication start() {
		return Archive.start(this.redis, this.postgres, List.of(), "bloom-guard.filters.products.mirror.enabled=true",
				"bloom-guard.filters.letters.mirror.enabled=true", "bloom-guard.add-timeout=10s",
				"spring.data.redis.timeout=10s");
	}

	/**
	 * Write rows that no other one does.
	 */
	private void write(EntityManagerFactory unit, int writer, Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			String id = "row " + (random.nextInt(ROWS / WRITERS) * WRITERS + writer);
			unit.runInTransaction((entities) -> turnOver(entities, id));
			this.committed.add(id);
		}
	}

	/**
	 * Insert, delete or restore both rows of an id.
	 */
	private void turnOver(EntityManager entities, String id) {
		Note note = entities.find(Note.class, id);
		if (note == null) {
			entities.persist(new Note(id));
		}
		else if (note.deleted) {
			note.deleted = false;
		}
		else {
			entities.remove(note);
			this.deleted.increment();
		}
		Letter letter = entities.find(Letter.class, id);
		if (letter != null) {
			entities.remove(letter);
			this.deleted.increment();
		}
		else if (entities.createNativeQuery("update letter set deleted = false where id = ?1")
			.setParameter(1, id)
			.executeUpdate() == 0) {
			entities.persist(new Letter(id));
		}
	}

	private void read(GuardApplication instance, Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			String id = "row " + random.nextInt(ROWS);
			boolean there = this.committed.contains(id);
			for (String filter : List.of("products", "letters")) {
				if (there && instance.guard().membership(filter, id) == Membership.ABSENT) {
					this.violations.add(filter + " " + id);
				}
				if (instance.guard().membership(filter, "none " + random.nextInt()) == Membership.ABSENT) {
					this.absent.increment();
				}
			}
			this.asked.increment();
			Thread.yield();
		}
	}

}
