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

package io.github.bloomguard.mybatis;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.baomidou.mybatisplus.core.mapper.Mapper;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.extension.plugins.MybatisPlusInterceptor;
import com.baomidou.mybatisplus.extension.plugins.inner.DynamicTableNameInnerInterceptor;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.entity.MappedEntities;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.JdbcKeySource;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SpareConnections;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.session.SqlSessionFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;

/**
 * The entities of the mappers of MyBatis-Plus that one factory of sessions has.
 */
final class MyBatisEntities implements MappedEntities {

	private final SqlSessionFactory factory;

	private final KeyFormat format;

	private final MyBatisAdds adds;

	private final SpareConnections spare;

	MyBatisEntities(SqlSessionFactory factory, KeyFormat format, MyBatisAdds adds, SpareConnections spare) {
		this.factory = factory;
		this.format = format;
		this.adds = adds;
		this.spare = spare;
	}

	@Override
	public String description() {
		return "MyBatis-Plus ('" + this.factory.getConfiguration().getEnvironment().getId() + "')";
	}

	@Override
	public Collection<String> names() {
		return tables().keySet();
	}

	@Override
	public boolean contains(String entity) {
		return tables().containsKey(entity);
	}

	private Map<String, TableInfo> tables() {
		Map<String, TableInfo> tables = new TreeMap<>();
		for (Class<?> mapper : this.factory.getConfiguration().getMapperRegistry().getMappers()) {
			Class<?> entity = GenericTypeResolver.resolveTypeArgument(mapper, Mapper.class);
			TableInfo table = (entity != null) ? TableInfoHelper.getTableInfo(entity) : null;
			if (entity != null && table != null) {
				tables.put(entity.getName(), table);
			}
		}
		return tables;
	}

	@Override
	public Class<?> type(EntityKeys keys) {
		return column(keys).type();
	}

	@Override
	public DataSource dataSource() {
		return this.factory.getConfiguration().getEnvironment().getDataSource();
	}

	@Override
	public EntityRows rows(EntityKeys keys) {
		FollowedColumn column = column(keys);
		return new EntityRows(keys, table(keys).getTableName(), false,
				List.of(EntityRows.Column.of(column.column(), column.type(), true)));
	}

	@Override
	public KeySource source(EntityKeys keys, int fetchSize, @Nullable Integer partitions, RowSecurity security) {
		return source(keys, dataSource(), fetchSize, partitions, security);
	}

	@Override
	public KeySource source(EntityKeys keys, DataSource database, int fetchSize, @Nullable Integer partitions,
			RowSecurity security) {
		FollowedColumn column = column(keys);
		keys.check(column.type(), this.format);
		checkName(keys, table(keys), this.factory.getConfiguration().getInterceptors());
		return new EntityKeySource(keys, database, "select " + column.column() + " from " + table(keys).getTableName(),
				column.column(), fetchSize, column.isId() ? partitions : Integer.valueOf(1), security);
	}

	/**
	 * Refuse a table whose name depends on the caller: its keys would be read from one
	 * table only, and an absent key be looked up in that one, too.
	 */
	static void checkName(EntityKeys keys, TableInfo table, List<Interceptor> plugins) {
		if (plugins.stream().anyMatch(MyBatisEntities::renamesTables)) {
			throw keys.invalid(
					"whose table '" + table.getTableName()
							+ "' may have another name for each call: there is a DynamicTableNameInnerInterceptor",
					"If it leaves this one alone, set bloom-guard.filters." + keys.filter() + ".table instead;"
							+ " otherwise declare a KeySource bean that gives the keys of all, and use @BloomAdd");
		}
	}

	private static boolean renamesTables(Interceptor plugin) {
		return plugin instanceof MybatisPlusInterceptor several
				&& several.getInterceptors().stream().anyMatch(DynamicTableNameInnerInterceptor.class::isInstance);
	}

	private FollowedColumn column(EntityKeys keys) {
		return EntityColumn.find(keys, table(keys));
	}

	private TableInfo table(EntityKeys keys) {
		TableInfo table = tables().get(keys.entity());
		if (table == null) {
			throw keys.invalid("which is no entity of a mapper", "Name the class of an entity");
		}
		return table;
	}

	/**
	 * Reads all rows of the table, those that are logically deleted, too: an update may
	 * show them again.
	 */
	private final class EntityKeySource extends JdbcKeySource {

		private final EntityKeys keys;

		private final String all;

		EntityKeySource(EntityKeys keys, DataSource database, String all, String column, int fetchSize,
				@Nullable Integer partitions, RowSecurity security) {
			super(keys.filter(), database, all, column, fetchSize, partitions, security, MyBatisEntities.this.spare,
					null);
			this.keys = keys;
			this.all = all;
		}

		@Override
		public String fingerprint() {
			return this.all;
		}

		@Override
		protected List<String> tables() {
			return List.of(table(this.keys).getTableName());
		}

		@Override
		protected String property() {
			return "bloom-guard.filters." + filter() + ".entity";
		}

		@Override
		public Optional<String> doubt() {
			return MyBatisEntities.this.adds.isListeningTo(MyBatisEntities.this.factory) ? Optional.empty()
					: Optional.of("MyBatis does not tell of new rows of " + this.keys.entity()
							+ ", because its SqlSessionFactory has no plugin of the guard: keep the plugins that are"
							+ " there, and make the factory a bean of this context");
		}

	}

}
