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

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.UncommittedInserts;
import io.github.bloomguard.catalogue.RelatedTables;
import org.apache.ibatis.cache.CacheKey;
import org.apache.ibatis.executor.BatchExecutor;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.executor.ExecutorException;
import org.apache.ibatis.executor.statement.StatementHandler;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Plugin;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ResultHandler;
import org.apache.ibatis.session.RowBounds;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one session writes. Those of a batch are in the database with the next
 * flush, which queries and the commit also do: keys that are known are added before it,
 * those that the database generates after it.
 */
@Intercepts({ @Signature(type = Executor.class, method = "update", args = { MappedStatement.class, Object.class }),
		@Signature(type = Executor.class, method = "query",
				args = { MappedStatement.class, Object.class, RowBounds.class, ResultHandler.class }),
		@Signature(type = Executor.class, method = "query",
				args = { MappedStatement.class, Object.class, RowBounds.class, ResultHandler.class, CacheKey.class,
						BoundSql.class }),
		@Signature(type = Executor.class, method = "queryCursor",
				args = { MappedStatement.class, Object.class, RowBounds.class }),
		@Signature(type = Executor.class, method = "flushStatements", args = {}),
		@Signature(type = Executor.class, method = "commit", args = boolean.class),
		@Signature(type = Executor.class, method = "rollback", args = boolean.class),
		@Signature(type = StatementHandler.class, method = "prepare", args = { Connection.class, Integer.class }) })
final class WrittenRows implements Interceptor {

	private final MyBatisAdds adds;

	private final ColumnDefaults defaults = new ColumnDefaults();

	private final List<Executed> executed = new ArrayList<>();

	private @Nullable BoundSql following;

	/**
	 * Of rows in a batch, by filter.
	 */
	private final Map<String, List<Object>> waiting = new LinkedHashMap<>();

	private final List<WrittenKeys> generated = new ArrayList<>();

	/**
	 * Of the session's own transaction, by filter.
	 */
	private final Map<String, TransactionalKeys> transactional = new LinkedHashMap<>();

	/**
	 * Of the session's own transaction, to be begun after it.
	 */
	private final List<Runnable> removals = new ArrayList<>();

	WrittenRows(MyBatisAdds adds) {
		this.adds = adds;
	}

	@Override
	public @Nullable Object intercept(Invocation call) throws Throwable {
		return switch (call.getMethod().getName()) {
			case "update" -> {
				Object count = execute(call);
				if (Integer.valueOf(0).equals(count)) {
					this.executed.removeIf((sql) -> this.adds.statement(sql.text().get()).writes().areCounted());
				}
				written(call, Integer.valueOf(BatchExecutor.BATCH_UPDATE_RETURN_VALUE).equals(count));
				yield count;
			}
			case "prepare" -> {
				call.getArgs()[0] = ExecutedStatement.on((Connection) call.getArgs()[0], this::executed);
				yield call.proceed();
			}
			case "commit" -> {
				beforeCommit(call);
				Object nothing = call.proceed();
				this.transactional.values().forEach(TransactionalKeys::afterCommit);
				this.transactional.clear();
				this.removals.forEach(Runnable::run);
				this.removals.clear();
				yield nothing;
			}
			case "rollback" -> {
				this.waiting.clear();
				this.generated.clear();
				this.transactional.clear();
				this.removals.clear();
				yield call.proceed();
			}
			default -> {
				addWaiting();
				Object result = execute(call);
				addGenerated();
				written(call, false);
				yield result;
			}
		};
	}

	private @Nullable Object execute(Invocation call) throws Throwable {
		this.executed.clear();
		WrittenRows outer = this.adds.executing(this);
		try {
			return call.proceed();
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof ExecutorException) {
				failed(call);
			}
			throw ex;
		}
		finally {
			this.adds.executing(outer);
		}
	}

	/**
	 * Rows may be there although MyBatis has failed, such as to read the ids that the
	 * database gave them.
	 */
	private void failed(Invocation call) {
		written(call, false);
		if (!ThreadTransaction.isActive()) {
			addGenerated();
		}
	}

	/**
	 * Look at what the database is given, of which nothing is known for certain before.
	 * @param last whether no other plugin will look at the handler
	 */
	Object made(StatementHandler handler, boolean last) {
		BoundSql sql = handler.getBoundSql();
		this.executed.removeIf((other) -> other.made() == sql);
		if (last) {
			this.following = sql;
			return Plugin.wrap(handler, this);
		}
		this.executed.add(new Executed(sql, sql::getSql, Map.of()));
		return handler;
	}

	private void executed(String sql, Map<Integer, @Nullable Object> values) {
		this.executed.add(new Executed(Objects.requireNonNull(this.following), () -> sql, values));
	}

	private void written(Invocation call, boolean batched) {
		List<FollowedKey> followed = this.adds.followed();
		if (followed.isEmpty()) {
			return;
		}
		for (Executed sql : List.copyOf(this.executed)) {
			SqlStatement text = this.adds.statement(sql.text().get());
			if (text.doesNothing()) {
				continue;
			}
			MappedStatement statement = (MappedStatement) call.getArgs()[0];
			Executor executor = (Executor) call.getTarget();
			Configuration database = statement.getConfiguration();
			RelatedTables.ConnectionSource connection = () -> executor.getTransaction().getConnection();
			Execution execution = new Execution(statement, sql.made().getParameterObject(), sql.values(),
					(key, column) -> !this.defaults.areGiven(key, column, executor));
			Function<String, Map<String, Boolean>> related = (name) -> this.adds.related()
				.of(database, name, connection);
			for (WrittenKeys keys : WrittenKeys.of(execution, text, followed, related, (name) -> this.adds.stored()
				.of(database, name + "," + String.join(",", related.apply(name).keySet()), connection))) {
				written(keys, batched, executor);
			}
		}
	}

	private void written(WrittenKeys keys, boolean batched, Executor executor) {
		String filter = keys.key().filter();
		switch (keys.how()) {
			case KEPT -> {
				if (filter(filter).remembersAbsence()) {
					known(filter, keys.known(), batched);
				}
			}
			case DELETED -> {
				if (keys.key().isUnique()) {
					remove(filter, keys.known());
				}
			}
			case GENERATED -> {
				if (batched) {
					expect(filter);
					this.generated.add(keys);
				}
				else {
					addGenerated(keys);
				}
			}
			case LEFT_OUT -> {
				if (!this.defaults.areEmpty(keys.key(), Objects.requireNonNull(keys.column()), executor)) {
					mistrust(keys);
				}
			}
			case KNOWN -> known(filter, keys.known(), batched);
			case UNKNOWN -> mistrust(keys);
		}
	}

	/**
	 * Have the transaction of the thread look after keys that are added during its
	 * commit: what registers only then is not asked before it.
	 */
	private void expect(String filter) {
		UncommittedInserts.note(filter);
		if (ThreadTransaction.isActive()) {
			filter(filter).add(List.of());
		}
	}

	private void known(String filter, List<Object> keys, boolean batched) {
		if (batched) {
			expect(filter);
			this.waiting.computeIfAbsent(filter, (name) -> new ArrayList<>()).addAll(keys);
		}
		else {
			add(filter, keys);
		}
	}

	/**
	 * Remove keys after the commit, if their rows are gone then.
	 */
	private void remove(String filter, List<Object> keys) {
		KeyRemoval removal = filter(filter).removalIfGone();
		if (ThreadTransaction.isActive()) {
			removal.remove(keys);
		}
		else {
			this.removals.add(() -> removal.remove(keys));
		}
	}

	private void beforeCommit(Invocation call) throws SQLException {
		if (!this.waiting.isEmpty() || !this.generated.isEmpty()) {
			this.executed.clear();
			addWaiting();
			try {
				((Executor) call.getTarget()).flushStatements();
			}
			catch (ExecutorException ex) {
				failed(call);
				throw ex;
			}
			addGenerated();
		}
		TransactionalKeys.allBeforeCommit(this.transactional.values());
	}

	private void addWaiting() {
		this.waiting.forEach(this::add);
		this.waiting.clear();
	}

	private void addGenerated() {
		List<WrittenKeys> generated = List.copyOf(this.generated);
		this.generated.clear();
		generated.forEach(this::addGenerated);
	}

	private void addGenerated(WrittenKeys written) {
		List<Object> keys = written.generated();
		if (keys != null) {
			add(written.key().filter(), keys);
		}
		else {
			mistrust(written);
		}
	}

	private void mistrust(WrittenKeys written) {
		String filter = written.key().filter();
		String reason = this.adds.warn(written.key(), written.execution().statement().getId());
		if (ThreadTransaction.isActive()) {
			filter(filter).mistrust(reason);
		}
		else {
			transactional(filter).mistrust(reason);
		}
	}

	private void add(String filter, List<Object> keys) {
		if (keys.isEmpty()) {
			return;
		}
		if (ThreadTransaction.isActive()) {
			filter(filter).add(keys);
		}
		else {
			transactional(filter).add(keys);
		}
	}

	private TransactionalKeys transactional(String filter) {
		return this.transactional.computeIfAbsent(filter, (name) -> filter(name).transactionalKeys());
	}

	private GuardedFilter filter(String name) {
		return this.adds.filters().get(name);
	}

	/**
	 * @param made what plugins may have changed
	 * @param values of the placeholders, by their position
	 */
	private record Executed(BoundSql made, Supplier<String> text, Map<Integer, @Nullable Object> values) {
	}

}
