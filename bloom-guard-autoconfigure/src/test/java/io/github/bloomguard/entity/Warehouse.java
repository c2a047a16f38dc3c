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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;

import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.mapping.Column;
import org.springframework.data.relational.core.mapping.MappedCollection;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.ListCrudRepository;

/**
 * An application of Spring Data JDBC with a filter for each of its aggregates.
 */
final class Warehouse {

	static final String[] SCHEMA = { "create table bin (bin_id bigserial primary key, label text)",
			"create table slot (row_number bigint, side text, content text, primary key (row_number, side))",
			"create table pallet (id bigserial primary key, label text)",
			"create table crate (id bigserial primary key)",
			"create table item (id bigserial primary key, crate bigint references crate)" };

	private Warehouse() {
	}

	/**
	 * Start a Redis in which the filters have been for long.
	 */
	static TestRedis redis() {
		return TestRedis.start().reset("labels", "slots", "pallets", "items");
	}

	/**
	 * Start an instance.
	 * @param properties more properties
	 */
	static GuardApplication start(TestRedis redis, TestPostgres postgres, String... properties) {
		List<String> all = new ArrayList<>(List.of(postgres.and(GuardApplication.SPRING_DATA_JDBC)));
		Shop.filter(all, "products", Bin.class.getName(), null);
		Shop.filter(all, "labels", Bin.class.getName(), "label");
		Shop.filter(all, "slots", Slot.class.getName(), null);
		Shop.filter(all, "items", Item.class.getName(), null);
		Shop.filter(all, "pallets", null, null);
		all.add("bloom-guard.filters.pallets.warm-up.query=select id from pallet");
		all.addAll(List.of(properties));
		return GuardApplication.start(redis, List.of(Repositories.class), all.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableJdbcRepositories(basePackageClasses = Warehouse.class, considerNestedRepositories = true)
	static class Repositories {

	}

	/** Its id is given by the column. */
	@Table("bin")
	record Bin(@Id @Column("bin_id") Long id, String label) {
	}

	/** The same rows. */
	@Table("bin")
	record LabelledBin(@Id @Column("bin_id") Long number, @Column("label") String text) {
	}

	/** Its id is several columns. */
	@Table("slot")
	static class Slot {

		@Id
		final SlotId id;

		final String content;

		Slot(SlotId id, String content) {
			this.id = id;
			this.content = content;
		}

	}

	/** The id of a slot. */
	record SlotId(@Column("row_number") long row, String side) {
	}

	/** Has rows of its own. */
	@Table("crate")
	record Crate(@Id Long id, @MappedCollection(idColumn = "crate") Set<Item> items) {
	}

	/** A part of a crate. */
	@Table("item")
	record Item(@Id Long id) {
	}

	interface Bins extends ListCrudRepository<Bin, Long> {

		@Override
		@BloomGuarded(filter = "products")
		Optional<Bin> findById(Long id);

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		List<Bin> findAllById(Iterable<Long> ids);

		@BloomGuarded(filter = "labels", key = "#label")
		List<Bin> findByLabel(String label);

	}

	/** Whose keys are added by annotations. */
	@Table("pallet")
	record Pallet(@Id Long id, String label) {
	}

	interface Pallets extends ListCrudRepository<Pallet, Long> {

		@Override
		@BloomGuarded(filter = "pallets")
		Optional<Pallet> findById(Long id);

		@Override
		@BloomAdd(filter = "pallets", key = "#result.id")
		<S extends Pallet> S save(S pallet);

		@Override
		@BloomAdd(filter = "pallets", keys = "#result.![id]")
		<S extends Pallet> List<S> saveAll(Iterable<S> pallets);

	}

}
