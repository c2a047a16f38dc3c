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
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.bloomguard.call.CollectedKeys;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.UncommittedInserts;
import io.github.bloomguard.call.WrittenFilter;
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
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.session.ResultHandler;
import org.apache.ibatis.session.RowBounds;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one session writes. Those of a batch are in the database with the next
 * flush, which queries and the commit also do: keys that are known are sent before it,
 * some at a time, and waited for before anybody else can see their rows; those that the
 * database generates are added after it.
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
		@Signature(type = Executor.class, method = "rollback", args = boolean.class) })
final class WrittenRows implements Interceptor {

	private final MyBatisAdds adds;

	private final ColumnDefaults defaults = new ColumnDefaults();

	private final List<Executed> executed = new ArrayList<>();

	private @Nullable BoundSql following;

	/**
	 * Of rows in a batch, by filter.
	 */
	private final Map<String, CollectedKeys> batched = new LinkedHashMap<>();

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
				this.batched.clear();
				this.generated.clear();
				this.transactional.clear();
				this.removals.clear();
				yield call.proceed();
			}
			default -> {
				sendWaiting((Executor) call.getTarget());
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
			return ExecutedStatement.of(handler, this::executed);
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
			if (text.writes().areNone()) {
				continue;
			}
			MappedStatement statement = (MappedStatement) call.getArgs()[0];
			Executor executor = (Executor) call.getTarget();
			Execution execution = new Execution(statement, sql.made().getParameterObject(), sql.values(),
					(key, column) -> !this.defaults.areGiven(key, column, executor));
			for (WrittenKeys keys : WrittenKeys.of(execution, text, followed)) {
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
					batched(filter);
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

	private void known(String filter, List<Object> keys, boolean batched) {
		if (batched) {
			keys.forEach(batched(filter)::collect);
		}
		else {
			keys(filter).add(keys);
		}
	}

	/**
	 * Return the keys of a batch, and have the transaction of the thread look after what
	 * is added during its commit: what registers only then is not asked before it.
	 */
	private CollectedKeys batched(String filter) {
		return this.batched.computeIfAbsent(filter, (name) -> {
			UncommittedInserts.note(name);
			keys(name);
			return new CollectedKeys(() -> keys(name));
		});
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
		if (!this.batched.isEmpty() || !this.generated.isEmpty()) {
			Executor executor = (Executor) call.getTarget();
			this.executed.clear();
			sendWaiting(executor);
			try {
				executor.flushStatements();
			}
			catch (ExecutorException ex) {
				failed(call);
				throw ex;
			}
			addGenerated();
			this.batched.keySet().forEach((filter) -> keys(filter).beforeCommit());
			this.batched.clear();
		}
		TransactionalKeys.allBeforeCommit(this.transactional.values());
	}

	private void sendWaiting(Executor executor) throws SQLException {
		if (this.batched.isEmpty()) {
			return;
		}
		boolean committed = executor.getTransaction().getConnection().getAutoCommit();
		this.batched.values().forEach(committed ? CollectedKeys::add : CollectedKeys::begin);
	}

	private void addGenerated() {
		List<WrittenKeys> generated = List.copyOf(this.generated);
		this.generated.clear();
		generated.forEach(this::addGenerated);
	}

	private void addGenerated(WrittenKeys written) {
		List<Object> keys = written.generated();
		if (keys != null) {
			keys(written.key().filter()).add(keys);
		}
		else {
			mistrust(written);
		}
	}

	private void mistrust(WrittenKeys written) {
		String filter = written.key().filter();
		keys(filter).mistrust(this.adds.warn(written.key(), written.execution().statement().getId()));
	}

	/**
	 * Return what looks after keys: the transaction of the thread, or else the session's.
	 */
	private TransactionalKeys keys(String filter) {
		TransactionalKeys ofThread = filter(filter).keysOfThread();
		return (ofThread != null) ? ofThread
				: this.transactional.computeIfAbsent(filter, (name) -> filter(name).transactionalKeys());
	}

	private WrittenFilter filter(String name) {
		return this.adds.filters().written(name);
	}

	/**
	 * @param made what plugins may have changed
	 * @param values of the placeholders, by their position
	 */
	private record Executed(BoundSql made, Supplier<String> text, Map<Integer, @Nullable Object> values) {
	}

}
