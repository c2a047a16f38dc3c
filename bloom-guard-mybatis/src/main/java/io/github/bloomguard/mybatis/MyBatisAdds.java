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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.executor.statement.StatementHandler;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Plugin;
import org.apache.ibatis.session.SqlSessionFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Adds the keys of rows that MyBatis inserts, whichever mapper, session or executor does,
 * before each commit. A filter is not believed until it was loaded again if a statement
 * writes a key that it does not tell.
 */
public final class MyBatisAdds {

	private final Supplier<? extends Collection<EntityKeys>> keys;

	private final Supplier<Stream<MyBatisEntities>> entities;

	private final GuardedFilters filters;

	private final Interceptor plugin = new ExecutorPlugin();

	private final Map<String, ThrottledLog> logs = new ConcurrentHashMap<>();

	private final ThreadLocal<@Nullable WrittenRows> executing = new ThreadLocal<>();

	private volatile @Nullable List<FollowedColumn> columns;

	/**
	 * @param entities asked when something is written for the first time
	 */
	public MyBatisAdds(Supplier<? extends Collection<EntityKeys>> keys, Supplier<Stream<MyBatisEntities>> entities,
			GuardedFilters filters) {
		this.keys = keys;
		this.entities = entities;
		this.filters = filters;
	}

	/**
	 * Add the keys of the rows that sessions of a factory insert from now on. Does
	 * nothing if it is called again.
	 */
	public void listenTo(SqlSessionFactory factory) {
		if (!isListeningTo(factory)) {
			factory.getConfiguration().addInterceptor(this.plugin);
		}
	}

	boolean isListeningTo(SqlSessionFactory factory) {
		return factory.getConfiguration().getInterceptors().contains(this.plugin);
	}

	List<FollowedColumn> columns() {
		List<FollowedColumn> columns = this.columns;
		if (columns == null) {
			columns = this.entities.get().flatMap(this::columns).toList();
			this.columns = columns;
		}
		return columns;
	}

	private Stream<FollowedColumn> columns(MyBatisEntities entities) {
		return this.keys.get().stream().filter((keys) -> entities.contains(keys.entity())).map(entities::column);
	}

	GuardedFilters filters() {
		return this.filters;
	}

	/**
	 * Write which statement can't be followed, and return the same.
	 */
	String warn(FollowedColumn column, String statement) {
		String reason = "the statement " + statement + " writes " + column.table() + "." + column.column()
				+ " without telling the values";
		LogFields.withFilter(column.filter(),
				() -> this.logs
					.computeIfAbsent(column.filter() + " " + statement, (name) -> new ThrottledLog(MyBatisAdds.class))
					.warn(LogMessage.format(
							"The filter '%s' is loaded again, because %s: write each by a parameter of its own, such as"
									+ " #{id}",
							column.filter(), reason), null));
		return reason;
	}

	/**
	 * Let what the thread executes belong to a session.
	 * @return the session to which it belonged before
	 */
	@Nullable WrittenRows executing(@Nullable WrittenRows session) {
		WrittenRows outer = this.executing.get();
		if (session != null) {
			this.executing.set(session);
		}
		else {
			this.executing.remove();
		}
		return outer;
	}

	/**
	 * Note a statement as it is executed: to ask for its text again might give another
	 * one, with other values.
	 */
	private void executed(BoundSql sql) {
		WrittenRows session = this.executing.get();
		if (session != null) {
			session.executed(sql);
		}
	}

	/**
	 * Wraps each executor into one that knows what its session has written.
	 */
	private final class ExecutorPlugin implements Interceptor {

		@Override
		public Object plugin(Object target) {
			if (target instanceof StatementHandler handler) {
				executed(handler.getBoundSql());
			}
			return (target instanceof Executor && !MyBatisAdds.this.keys.get().isEmpty())
					? Plugin.wrap(target, new WrittenRows(MyBatisAdds.this)) : target;
		}

		@Override
		public Object intercept(Invocation invocation) throws Throwable {
			return invocation.proceed();
		}

	}

}
