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

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

import org.apache.ibatis.executor.statement.StatementHandler;
import org.apache.ibatis.reflection.ExceptionUtil;
import org.jspecify.annotations.Nullable;

/**
 * A statement that tells with which text and values it is executed: plugins and handlers
 * of types may change both on the way to the database, and back. It stands where MyBatis'
 * own logging of statements does.
 */
final class ExecutedStatement implements InvocationHandler {

	private final Statement statement;

	private final @Nullable String sql;

	private final BiConsumer<String, Map<Integer, @Nullable Object>> listener;

	private final Map<Integer, @Nullable Object> values = new HashMap<>();

	private ExecutedStatement(Statement statement, @Nullable String sql,
			BiConsumer<String, Map<Integer, @Nullable Object>> listener) {
		this.statement = statement;
		this.sql = sql;
		this.listener = listener;
	}

	/**
	 * Return a handler whose statements tell, before they are executed or go into a
	 * batch. It is no plugin, for which MyBatis reads annotations for each statement.
	 * @param listener gets the text, and the values of its placeholders by their position
	 */
	static StatementHandler of(StatementHandler handler, BiConsumer<String, Map<Integer, @Nullable Object>> listener) {
		return (StatementHandler) proxy(StatementHandler.class,
				(proxy, method, args) -> call(handler, method, method.getName().equals("prepare")
						? new Object[] { on((Connection) args[0], listener), args[1] } : args));
	}

	private static Connection on(Connection connection, BiConsumer<String, Map<Integer, @Nullable Object>> listener) {
		return (Connection) proxy(Connection.class, (proxy, method, args) -> {
			Object result = call(connection, method, args);
			return (result instanceof Statement statement)
					? proxy(method.getReturnType(), new ExecutedStatement(statement, text(args), listener)) : result;
		});
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
		String name = method.getName();
		if (name.startsWith("set") && args != null && args.length > 1) {
			this.values.put((args[0] instanceof Integer index) ? index : 0, value(name, args[1]));
		}
		String text = (text(args) != null) ? text(args) : this.sql;
		boolean executed = name.startsWith("execute") && !name.endsWith("Batch");
		if (text != null && (executed || name.equals("addBatch"))) {
			this.listener.accept(text, new HashMap<>(this.values));
		}
		return call(this.statement, method, args);
	}

	private static @Nullable Object value(String setter, @Nullable Object value) {
		if (setter.equals("setNull")) {
			return null;
		}
		return (value instanceof BigDecimal number && number.scale() == 0) ? number.toBigInteger() : value;
	}

	private static @Nullable String text(@Nullable Object @Nullable [] args) {
		return (args != null && args.length > 0 && args[0] instanceof String text) ? text : null;
	}

	private static Object proxy(Class<?> type, InvocationHandler handler) {
		return Proxy.newProxyInstance(ExecutedStatement.class.getClassLoader(), new Class<?>[] { type }, handler);
	}

	private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] args)
			throws Throwable {
		try {
			return method.invoke(target, args);
		}
		catch (Exception ex) {
			throw ExceptionUtil.unwrapThrowable(ex);
		}
	}

}
