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

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.logging.UntoldKeys;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.executor.statement.StatementHandler;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Plugin;
import org.apache.ibatis.session.SqlSessionFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Adds the keys of rows that MyBatis inserts, whichever mapper, session or executor does,
 * before each commit. A filter is not believed until it was loaded again if a statement
 * writes a key that it does not tell.
 */
public final class MyBatisAdds implements SmartInitializingSingleton {

	private final BooleanSupplier needed;

	private final Supplier<Stream<FollowedKey>> keys;

	private final WrittenFilters filters;

	private final UntoldKeys untold = new UntoldKeys(MyBatisAdds.class);

	private final KnownStatements statements = new KnownStatements();

	private final ThreadLocal<@Nullable WrittenRows> executing = new ThreadLocal<>();

	private final Set<SqlSessionFactory> factories = ConcurrentHashMap.newKeySet();

	private volatile @Nullable List<FollowedKey> followed;

	/**
	 * @param needed whether there is any filter of an entity or a table
	 * @param keys asked when something is written for the first time
	 */
	public MyBatisAdds(BooleanSupplier needed, Supplier<Stream<FollowedKey>> keys, WrittenFilters filters) {
		this.needed = needed;
		this.keys = keys;
		this.filters = filters;
	}

	/**
	 * Add the keys of the rows that sessions of a factory insert from now on.
	 */
	public void listenTo(SqlSessionFactory factory) {
		expect(factory);
		List<Interceptor> plugins = factory.getConfiguration().getInterceptors();
		if (plugins.isEmpty() || !(plugins.get(plugins.size() - 1) instanceof SessionPlugin)) {
			factory.getConfiguration().addInterceptor(new SessionPlugin(plugins));
		}
	}

	/**
	 * Stay behind the plugins that were added during the start.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.factories.stream().filter(this::isListeningTo).forEach(this::listenTo);
	}

	/**
	 * Doubt tables as long as a factory that may write to them is not listened to.
	 */
	public void expect(SqlSessionFactory factory) {
		this.factories.add(factory);
	}

	/**
	 * Return why keys of new rows may be missing, if they may.
	 */
	public Optional<String> doubt() {
		return this.factories.stream().allMatch(this::isListeningTo) ? Optional.empty()
				: Optional.of("MyBatis does not tell of new rows, because a SqlSessionFactory has no plugin of the"
						+ " guard: keep the plugins that are there, and make the factory a bean of this context");
	}

	boolean isListeningTo(SqlSessionFactory factory) {
		return factory.getConfiguration().getInterceptors().stream().anyMatch(SessionPlugin.class::isInstance);
	}

	List<FollowedKey> followed() {
		List<FollowedKey> followed = this.followed;
		if (followed == null) {
			followed = this.keys.get().toList();
			this.followed = followed;
		}
		return followed;
	}

	SqlStatement statement(String sql) {
		return this.statements.get(sql);
	}

	WrittenFilters filters() {
		return this.filters;
	}

	/**
	 * Write which statement can't be followed, and return the same.
	 */
	String warn(FollowedKey key, String statement) {
		String reason = "the statement " + statement + " writes " + key + " without telling the values";
		this.untold.warn(key.filter(), reason,
				"write each by a parameter of its own, such as #{id}, or let MyBatis read"
						+ " what is generated (useGeneratedKeys, keyProperty)");
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
	 * Wraps each executor into one that knows what its session has written, and has it
	 * look at what the database is given only as the last plugin: others may expect the
	 * handler that MyBatis has made. If there are others behind it, it is there twice.
	 */
	private final class SessionPlugin implements Interceptor {

		private final List<Interceptor> plugins;

		SessionPlugin(List<Interceptor> plugins) {
			this.plugins = plugins;
		}

		@Override
		public Object plugin(Object target) {
			WrittenRows session = MyBatisAdds.this.executing.get();
			if (target instanceof StatementHandler handler && session != null) {
				return session.made(handler,
						this.plugins.stream().dropWhile((plugin) -> plugin != this).skip(1).noneMatch(this::isShown));
			}
			return (target instanceof Executor && MyBatisAdds.this.needed.getAsBoolean())
					? Plugin.wrap(target, new WrittenRows(MyBatisAdds.this)) : target;
		}

		private boolean isShown(Interceptor plugin) {
			Intercepts shown = plugin.getClass().getAnnotation(Intercepts.class);
			return shown == null
					|| Stream.of(shown.value()).anyMatch((signature) -> signature.type() == StatementHandler.class);
		}

		@Override
		public Object intercept(Invocation invocation) throws Throwable {
			return invocation.proceed();
		}

	}

}
