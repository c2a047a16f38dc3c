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

package io.github.bloomguard.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Reads queries of PostgreSQL through cursors that are declared in SQL, where the driver
 * opens none: pgjdbc ignores the fetch size of each statement with
 * {@code preferQueryMode=simple}, which poolers ask for, and of those without parameters
 * with {@code extendedForPrepared}. It would hold all rows at once.
 * <p>
 * A connection of this kind is an ordinary one whose statements run
 * {@code declare … cursor for} their query, and whose results turn the page when it is
 * over. One thread uses it, in a transaction.
 */
final class DeclaredCursors {

	/**
	 * Asked with a fetch size: a driver that heeds it reads this very query through a
	 * cursor, which the server lists.
	 */
	private static final String CURSORS = "select count(*) from pg_cursors";

	private final Connection connection;

	private final AtomicInteger cursors = new AtomicInteger();

	private DeclaredCursors(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Return a connection whose queries are read through cursors: the given one if its
	 * driver opens them.
	 * @param connection one that has begun no transaction, and does not commit by itself
	 */
	static Connection around(Connection connection) throws SQLException {
		if (!"PostgreSQL".equals(connection.getMetaData().getDatabaseProductName())
				|| isReadThroughCursor(connection)) {
			return connection;
		}
		return new DeclaredCursors(connection).connection();
	}

	private static boolean isReadThroughCursor(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.setFetchSize(1);
			try (ResultSet row = statement.executeQuery(CURSORS)) {
				row.next();
				return row.getInt(1) > 0;
			}
		}
		catch (SQLException ex) {
			// a server of another kind that has the name, but not the list
			QueryColumns.throwIfDown(connection, ex);
			return true;
		}
	}

	private Connection connection() {
		return proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
			case "createStatement" -> statement((Statement) invoke(this.connection, method, arguments));
			case "prepareStatement" -> prepared(method, arguments);
			default -> invoke(this.connection, method, arguments);
		});
	}

	private Statement statement(Statement statement) {
		return proxy(Statement.class, (proxy, method, arguments) -> {
			if (!"executeQuery".equals(method.getName())) {
				return invoke(statement, method, arguments);
			}
			String cursor = next();
			statement.execute(declare(cursor, (String) arguments[0]));
			return new Pages(cursor, statement.getFetchSize()).rows();
		});
	}

	private PreparedStatement prepared(Method prepare, @Nullable Object[] arguments) throws Throwable {
		String cursor = next();
		arguments[0] = declare(cursor, (String) arguments[0]);
		PreparedStatement statement = (PreparedStatement) invoke(this.connection, prepare, arguments);
		return proxy(PreparedStatement.class, (proxy, method, values) -> {
			if (!"executeQuery".equals(method.getName())) {
				return invoke(statement, method, values);
			}
			statement.execute();
			return new Pages(cursor, statement.getFetchSize()).rows();
		});
	}

	private String next() {
		return "bloom_guard_" + this.cursors.incrementAndGet();
	}

	private static String declare(String cursor, @Nullable String query) {
		return "declare " + cursor + " no scroll cursor for " + query;
	}

	private static Object invoke(Object target, Method method, @Nullable Object[] arguments) throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type
			.cast(Proxy.newProxyInstance(DeclaredCursors.class.getClassLoader(), new Class<?>[] { type }, handler));
	}

	/**
	 * The rows of one cursor, of which a page is held at a time.
	 */
	private final class Pages implements AutoCloseable {

		private final String cursor;

		private final int size;

		private final Statement statement;

		private ResultSet page;

		private int read;

		Pages(String cursor, int size) throws SQLException {
			this.cursor = cursor;
			this.size = size;
			this.statement = DeclaredCursors.this.connection.createStatement();
			this.page = fetch();
		}

		ResultSet rows() {
			return proxy(ResultSet.class, (proxy, method, arguments) -> switch (method.getName()) {
				case "next" -> next();
				case "close" -> {
					close();
					yield null;
				}
				default -> invoke(this.page, method, arguments);
			});
		}

		private boolean next() throws SQLException {
			if (!this.page.next()) {
				if (this.read < this.size) {
					return false;
				}
				this.read = 0;
				this.page = fetch();
				if (!this.page.next()) {
					return false;
				}
			}
			this.read++;
			return true;
		}

		private ResultSet fetch() throws SQLException {
			return this.statement.executeQuery("fetch " + this.size + " from " + this.cursor);
		}

		@Override
		public void close() throws SQLException {
			// the transaction closes the cursor, also if it has failed
			this.statement.close();
		}

	}

}
