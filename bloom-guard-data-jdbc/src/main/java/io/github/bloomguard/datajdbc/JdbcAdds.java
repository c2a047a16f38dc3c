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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.bloomguard.call.CollectedKeys;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.entity.ConfiguredRows;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.entity.EntityWrites;
import io.github.bloomguard.logging.UntoldKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.event.AfterSaveCallback;
import org.springframework.data.relational.core.sql.IdentifierProcessing;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.util.ClassUtils;

/**
 * Adds the key of each row that Spring Data JDBC inserts or updates: when
 * {@link JdbcWrites} sees it, or else when the template calls back, which may write in a
 * way of its own.
 */
public final class JdbcAdds implements AfterSaveCallback<Object> {

	private final Supplier<ConfiguredRows> rows;

	private final Supplier<@Nullable JdbcConverter> converter;

	private final WrittenFilters filters;

	private final UntoldKeys untold = new UntoldKeys(JdbcAdds.class);

	private final Map<Class<?>, EntityWrites<KeyProperty>> written = new ConcurrentHashMap<>();

	/**
	 * @param converter returns that of the entities, {@code null} if there are none
	 */
	public JdbcAdds(Supplier<ConfiguredRows> rows, Supplier<@Nullable JdbcConverter> converter,
			WrittenFilters filters) {
		this.rows = rows;
		this.converter = converter;
		this.filters = filters;
	}

	boolean hasKeys() {
		return !this.rows.get().entities().isEmpty();
	}

	@Override
	public Object onAfterSave(Object aggregate) {
		keys(List.of(new Row(aggregate, null))).forEach((filter, saved) -> {
			CollectedKeys collected = inTransaction(filter);
			if (collected != null) {
				saved.removeIf(collected::wasAnnounced);
			}
			if (!saved.isEmpty()) {
				this.filters.written(filter).add(saved);
			}
		});
		return aggregate;
	}

	/**
	 * Rebuild filters whose keys can't be read from the rows of another mapping.
	 */
	void wrote(Class<?> type) {
		JdbcConverter converter = this.converter.get();
		if (converter == null) {
			return;
		}
		Class<?> aggregate = ClassUtils.getUserClass(type);
		for (EntityKeys keys : written(aggregate, converter).untold()) {
			String reason = "each row of the entity " + aggregate.getName() + " may be one of " + keys.entity() + " in "
					+ converter.getMappingContext()
						.getRequiredPersistentEntity(aggregate)
						.getTableName()
						.getReference();
			this.untold.warn(keys.filter(), reason, "insert them as that entity, or let changes be followed");
			this.filters.written(keys.filter()).mistrust(reason);
		}
	}

	void write(List<Row> rows) {
		keys(rows).forEach((filter, written) -> {
			CollectedKeys collected = inTransaction(filter);
			if (collected != null) {
				written.forEach(collected::announce);
				collected.add();
			}
			else {
				this.filters.written(filter).add(written);
			}
		});
	}

	/**
	 * Take note of a batch that has failed: the database may keep some of its rows.
	 */
	void failed(List<Row> rows) {
		keys(rows).forEach((name, keys) -> {
			WrittenFilter filter = this.filters.written(name);
			ThreadTransaction.beforeCommit(filter, () -> {
				if (keys.removeIf(Objects::isNull)) {
					filter.mistrust("a batch failed that may have inserted rows of unknown ids");
				}
				filter.add(keys);
			});
		});
	}

	private Map<String, List<@Nullable Object>> keys(List<Row> rows) {
		Map<String, List<@Nullable Object>> keys = new LinkedHashMap<>();
		JdbcConverter converter = this.converter.get();
		for (Row row : (converter != null) ? rows : List.<Row>of()) {
			written(ClassUtils.getUserClass(row.aggregate()), converter).told().forEach((filter, property) -> {
				Object key = property.key(row.aggregate());
				if (key == null && property.isId() && row.id() != null) {
					key = property.key(row.id(), converter);
				}
				if (key != null || property.isId()) {
					keys.computeIfAbsent(filter, (name) -> new ArrayList<>()).add(key);
				}
			});
		}
		return keys;
	}

	/**
	 * Return the keys that the transaction of the thread writes, {@code null} without
	 * one. Those that the template has not called back for are announced.
	 */
	private @Nullable CollectedKeys inTransaction(String filter) {
		TransactionalKeys ofThread = this.filters.written(filter).keysOfThread();
		return (ofThread != null) ? ThreadTransaction.of(InTransaction.class, (written) -> written.by == this,
				() -> new InTransaction(this, new HashMap<>())).keys
			.computeIfAbsent(filter, (name) -> new CollectedKeys(() -> ofThread)) : null;
	}

	private EntityWrites<KeyProperty> written(Class<?> type, JdbcConverter converter) {
		return EntityWrites.of(type, this.written, () -> this.rows.get().entities(), (keys, written) -> find(keys,
				converter.getMappingContext().getRequiredPersistentEntity(type), converter, written));
	}

	private void find(EntityKeys keys, RelationalPersistentEntity<?> entity, JdbcConverter converter,
			EntityWrites<KeyProperty> written) {
		if (keys.include(entity.getType())) {
			written.told().put(keys.filter(), KeyProperty.of(keys, entity));
		}
		else {
			this.rows.get()
				.of(keys)
				.filter((rows) -> rows.areIn(entity.getTableName().getReference()))
				.forEach((rows) -> written.add(keys, KeyProperty.of(rows, entity, converter),
						(key) -> isMapped(keys, converter)
								|| rows.haveFormOf(key.rows(keys, converter, IdentifierProcessing.NONE))));
		}
	}

	private static boolean isMapped(EntityKeys keys, JdbcConverter converter) {
		return converter.getMappingContext()
			.getPersistentEntities()
			.stream()
			.anyMatch((entity) -> entity.getType().getName().equals(keys.entity()));
	}

	/**
	 * @param id what the database has generated, if it has
	 */
	record Row(Object aggregate, @Nullable Object id) {

	}

	private record InTransaction(JdbcAdds by, Map<String, CollectedKeys> keys) implements TransactionSynchronization {
	}

}
