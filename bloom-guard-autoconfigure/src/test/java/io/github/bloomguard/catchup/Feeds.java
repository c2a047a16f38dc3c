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

package io.github.bloomguard.catchup;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What tests of change feeds ask of applications that follow a log.
 */
final class Feeds {

	private Feeds() {
	}

	static Membership membership(GuardApplication application, Object id) {
		return application.guard().membership("products", id);
	}

	static Membership known(GuardApplication application, Object id) {
		return known(application, "products", id);
	}

	static Membership known(GuardApplication application, String filter, Object id) {
		return GuardApplication.answer(() -> application.guard().membership(filter, id));
	}

	static @Nullable String generation(GuardApplication application) {
		Generation active = application.products().filter().active();
		return (active != null) ? active.id() : null;
	}

	static boolean isFollowing(GuardApplication application) {
		return application.products().changes().progress().following();
	}

	static void awaitFound(GuardApplication application, Object id) {
		await().until(() -> membership(application, id) == Membership.MAYBE);
	}

	/**
	 * Wait until a filter was loaded again and has a key, which it never calls absent.
	 */
	static void awaitRebuilt(GuardApplication application, String generation, long id) {
		long longest = System.nanoTime() + Duration.ofMinutes(3).toNanos();
		Membership answer;
		do {
			assertThat(System.nanoTime()).as("no rebuild").isLessThan(longest);
			answer = membership(application, id);
			assertThat(answer).isNotEqualTo(Membership.ABSENT);
		}
		while (generation.equals(generation(application))
				|| application.products().filter().state() != FilterState.READY || answer != Membership.MAYBE);
		await().until(() -> membership(application, 5000) == Membership.ABSENT);
	}

	/**
	 * Return the properties of a filter that follows the log of an entity's table.
	 */
	static List<String> filter(String name, Class<?> entity) {
		return Stream
			.of("entity=" + entity.getName(), "changes.enabled=true", "changes.wait=5s", "expected-insertions=10000",
					"rebuild.longest-transaction=100ms", "mirror.enabled=false", "verification.required-calls=0",
					"verification.mode=off", "rebuild.settle=0s", "warm-up.recheck-empty=0s",
					"false-positive-probability=0.000000001")
			.map((property) -> "bloom-guard.filters." + name + "." + property)
			.toList();
	}

	/**
	 * Return the query that goes with the table and columns that some properties name.
	 */
	static String query(String... properties) {
		return "warm-up.query=select " + value("changes.key-columns=", "id", properties) + " from "
				+ value("changes.table=", "product", properties);
	}

	private static String value(String property, String otherwise, String... properties) {
		return Stream.of(properties)
			.filter((given) -> given.startsWith(property))
			.map((given) -> given.substring(property.length()))
			.findFirst()
			.orElse(otherwise);
	}

	static GuardApplication awaitAllReady(GuardApplication application) {
		ManagedFilters filters = application.bean(ManagedFilters.class);
		await().until(() -> filters.stream().allMatch((filter) -> filter.filter().state() == FilterState.READY));
		return application;
	}

	static InvalidGuardException refusal(Supplier<GuardApplication> start) {
		Throwable cause = catchThrowable(() -> start.get().close());
		while (!(cause instanceof InvalidGuardException)) {
			assertThat(cause).as("refusal").isNotNull();
			cause = cause.getCause();
		}
		return (InvalidGuardException) cause;
	}

	static int slots(JdbcTemplate database) {
		Integer count = database.queryForObject(
				"select count(*) from pg_replication_slots where database = current_database()", Integer.class);
		return (count != null) ? count : 0;
	}

	static void dropSlots(JdbcTemplate database) {
		await().ignoreExceptions().untilAsserted(() -> {
			database.execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots where database ="
					+ " current_database()");
			assertThat(slots(database)).isZero();
		});
	}

	static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10));
	}

}
