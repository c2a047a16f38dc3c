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

package io.github.bloomguard.datajdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.OtherTables;
import io.github.bloomguard.catalogue.RowWrite;
import io.github.bloomguard.logging.UntoldKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.event.AfterSaveCallback;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Adds the key of each row that Spring Data JDBC inserts or updates: when
 * {@link JdbcWrites} sees it, or else when the template calls back, which may write in a
 * way of its own.
 */
public final class JdbcAdds implements AfterSaveCallback<Object> {

	private final Supplier<? extends Collection<EntityKeys>> keys;

	private final Supplier<@Nullable JdbcConverter> converter;

	private final GuardedFilters filters;

	private final OtherTables others;

	private final Supplier<@Nullable DataSource> dataSource;

	private final UntoldKeys untold = new UntoldKeys(JdbcAdds.class);

	private final Map<Class<?>, List<Saved>> saved = new ConcurrentHashMap<>();

	/**
	 * @param converter returns that of the entities, {@code null} if there are none
	 * @param dataSource returns that of the entities, {@code null} if it is not known
	 */
	public JdbcAdds(Supplier<? extends Collection<EntityKeys>> keys, Supplier<@Nullable JdbcConverter> converter,
			Supplier<@Nullable DataSource> dataSource, GuardedFilters filters) {
		this.keys = keys;
		this.converter = converter;
		this.filters = filters;
		this.others = new OtherTables(keys);
		this.dataSource = dataSource;
	}

	boolean hasKeys() {
		return !this.keys.get().isEmpty();
	}

	@Override
	public Object onAfterSave(Object aggregate) {
		Map<String, List<@Nullable Object>> keys = keys(List.of(new Row(aggregate, null)));
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			Set<Added> written = written();
			keys.forEach((filter, saved) -> saved.removeIf((key) -> written.remove(new Added(filter, key))));
		}
		add(keys);
		return aggregate;
	}

	/**
	 * Have filters loaded again whose rows the database inserts because others are
	 * written.
	 */
	void wrote(RowWrite.Kind kind, Class<?> type) {
		JdbcConverter converter = this.converter.get();
		DataSource database = this.dataSource.get();
		if (converter == null || database == null) {
			return;
		}
		RelationalMappingContext mapping = converter.getMappingContext();
		Class<?> aggregate = ClassUtils.getUserClass(type);
		String table = table(mapping.getRequiredPersistentEntity(aggregate));
		this.others.filters(database, kind, table, (keys) -> tables(keys, mapping)).forEach((keys) -> {
			String reason = "each " + kind + " of the entity " + aggregate.getName() + " may insert rows of "
					+ keys.entity() + " through " + table;
			this.untold.warn(keys.filter(), reason, "insert them as that entity, or let changes be followed");
			this.filters.get(keys.filter()).mistrust(reason);
		});
	}

	private static List<String> tables(EntityKeys keys, RelationalMappingContext mapping) {
		return mapping.getPersistentEntities()
			.stream()
			.filter((entity) -> entity.getType().getName().equals(keys.entity()))
			.map(JdbcAdds::table)
			.toList();
	}

	private static String table(RelationalPersistentEntity<?> entity) {
		return entity.getTableName().getReference();
	}

	void write(List<Row> rows) {
		Map<String, List<@Nullable Object>> keys = keys(rows);
		add(keys);
		if (!keys.isEmpty() && TransactionSynchronizationManager.isSynchronizationActive()) {
			Set<Added> written = written();
			keys.forEach((filter, added) -> added.forEach((key) -> written.add(new Added(filter, key))));
		}
	}

	/**
	 * Take note of a batch that has failed: the database may keep some of its rows.
	 */
	void failed(List<Row> rows) {
		keys(rows).forEach((name, keys) -> {
			GuardedFilter filter = this.filters.get(name);
			ThreadTransaction.beforeCommit(filter, () -> {
				if (keys.removeIf(Objects::isNull)) {
					filter.mistrust("a batch failed that may have inserted rows of unknown ids");
				}
				filter.add(keys);
			});
		});
	}

	private void add(Map<String, List<@Nullable Object>> keys) {
		keys.forEach((filter, added) -> {
			if (!added.isEmpty()) {
				this.filters.get(filter).add(added);
			}
		});
	}

	private Map<String, List<@Nullable Object>> keys(List<Row> rows) {
		Map<String, List<@Nullable Object>> keys = new LinkedHashMap<>();
		JdbcConverter converter = this.converter.get();
		for (Row row : (converter != null) ? rows : List.<Row>of()) {
			for (Saved saved : saved(ClassUtils.getUserClass(row.aggregate()), converter)) {
				Object key = saved.property().key(row.aggregate());
				if (saved.property().isId()) {
					key = (key != null || row.id() == null) ? key : saved.property().key(row.id(), converter);
				}
				if (key != null || saved.property().isId()) {
					keys.computeIfAbsent(saved.filter(), (filter) -> new ArrayList<>()).add(key);
				}
			}
		}
		return keys;
	}

	/**
	 * Return what the transaction has written, and has not been called back for.
	 */
	private Set<Added> written() {
		return ThreadTransaction.of(Written.class, (written) -> written.by == this,
				() -> new Written(this, new HashSet<>())).keys;
	}

	private List<Saved> saved(Class<?> aggregate, JdbcConverter converter) {
		return this.saved.computeIfAbsent(aggregate, (type) -> saved(type, converter.getMappingContext()));
	}

	private List<Saved> saved(Class<?> type, RelationalMappingContext mapping) {
		List<Saved> saved = new ArrayList<>();
		for (EntityKeys keys : this.keys.get()) {
			key(keys, type, mapping).ifPresent((property) -> saved.add(new Saved(keys.filter(), property)));
		}
		return saved;
	}

	private Optional<KeyProperty> key(EntityKeys keys, Class<?> type, RelationalMappingContext mapping) {
		RelationalPersistentEntity<?> saved = mapping.getRequiredPersistentEntity(type);
		if (keys.include(type)) {
			return Optional.of(KeyProperty.of(keys, saved));
		}
		if (!ClassUtils.isPresent(keys.entity(), type.getClassLoader())) {
			return Optional.empty();
		}
		RelationalPersistentEntity<?> entity = mapping
			.getPersistentEntity(ClassUtils.resolveClassName(keys.entity(), type.getClassLoader()));
		return (entity != null && entity.hasIdProperty()) ? KeyProperty.of(keys, entity).in(saved, mapping)
				: Optional.empty();
	}

	/**
	 * @param id what the database has generated, if it has
	 */
	record Row(Object aggregate, @Nullable Object id) {

	}

	private record Saved(String filter, KeyProperty property) {
	}

	private record Added(String filter, @Nullable Object key) {
	}

	private record Written(JdbcAdds by, Set<Added> keys) implements TransactionSynchronization {
	}

}
