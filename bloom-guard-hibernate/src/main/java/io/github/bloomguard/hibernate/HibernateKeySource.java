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

package io.github.bloomguard.hibernate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.jdbc.ColumnKeySource;
import io.github.bloomguard.jdbc.DatabaseQuestion;
import io.github.bloomguard.jdbc.KeyAttribute;
import io.github.bloomguard.jdbc.KeyRange;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.RowStreaming;
import io.github.bloomguard.jdbc.RunningQuery;
import io.github.bloomguard.jdbc.SpareConnections;
import org.hibernate.HibernateException;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.query.SelectionQuery;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Reads the keys of an entity through a cursor, by ranges if the id is an integer.
 */
final class HibernateKeySource extends ColumnKeySource {

	private static final int LONGEST = (int) Duration.ofDays(1).toSeconds();

	private final SessionFactoryImplementor factory;

	private final EntityKeys keys;

	private final KeyColumns columns;

	private final KeyQueries queries;

	private final HibernateWrites writes;

	private volatile int gaps;

	private final @Nullable LongFunction<Number> ids;

	private final int fetchSize;

	private final @Nullable Integer partitions;

	private final RowSecurity security;

	private final Set<RunningQuery> running = ConcurrentHashMap.newKeySet();

	HibernateKeySource(SessionFactoryImplementor factory, EntityKeys keys, EntityPersister entity, KeyColumns columns,
			KeyQueries queries, HibernateWrites writes, int fetchSize, @Nullable Integer partitions,
			RowSecurity security, @Nullable DataSource dataSource, SpareConnections spare) {
		super(dataSource, spare,
				KeyAttribute.of(KeyOfRow.of(keys, entity).type(entity).getReturnedClass(), columns.areConverted()));
		this.columns = columns;
		this.factory = factory;
		this.keys = keys;
		this.queries = queries;
		this.writes = writes;
		this.ids = queries.areDivisible() ? integers(entity.getIdentifierType().getReturnedClass()) : null;
		this.fetchSize = fetchSize;
		this.partitions = partitions;
		this.security = security;
	}

	@Override
	public String filter() {
		return this.keys.filter();
	}

	@Override
	public String fingerprint() {
		return this.keys.fingerprint(this.queries.description());
	}

	@Override
	protected String columnsQuery() {
		return this.columns.query();
	}

	@Override
	protected List<String> tables() {
		return SharedTable.names(this.keys, this.factory);
	}

	@Override
	protected <T> T ask(DatabaseQuestion<T> question) {
		try (StatelessSession session = this.factory.openStatelessSession()) {
			return session.doReturningWork(question::askAndEnd);
		}
	}

	@Override
	public Optional<String> doubt() {
		int gaps = this.writes.gaps(this.factory);
		if (gaps == this.gaps) {
			return Optional.empty();
		}
		this.gaps = gaps;
		return Optional.of("Hibernate did not tell of all new rows of " + this.keys.entity()
				+ ", and does from now on: its listeners were replaced (append them instead), or '"
				+ this.factory.getName() + "' was made in a parent context");
	}

	@Override
	public Stream<?> keys() {
		return forms(stream(this.queries::keys));
	}

	@Override
	public List<Supplier<Stream<?>>> partitions() {
		LongFunction<Number> ids = this.ids;
		int count = (ids != null) ? count(this.partitions) : 1;
		if (ids == null || count == 1) {
			return List.of(this::keys);
		}
		return ranges(count).stream()
			.<Supplier<Stream<?>>>map((range) -> () -> keys(ids.apply(range.from()), ids.apply(range.to())))
			.toList();
	}

	private int count(@Nullable Integer configured) {
		return (configured != null) ? configured : ask(RowStreaming::of).partitions();
	}

	private List<KeyRange> ranges(int count) {
		try (Stream<Object[]> ends = stream(this.queries::ends)) {
			Object[] minAndMax = ends.findFirst().orElseThrow();
			return (minAndMax[0] instanceof Number min && minAndMax[1] instanceof Number max)
					? KeyRange.split(min.longValue(), max.longValue(), count) : List.of(KeyRange.ALL);
		}
	}

	private Stream<?> keys(Number from, Number to) {
		return forms(stream((session) -> this.queries.keys(session, from, to)));
	}

	/**
	 * A column of a fixed length fills text up with blanks that databases do not compare,
	 * so a caller may leave them out. Hibernate does not tell whether it is one.
	 */
	private static Stream<?> forms(Stream<Object> keys) {
		return keys.mapMulti((key, forms) -> {
			forms.accept(key);
			if (key instanceof String text && text.endsWith(" ")) {
				forms.accept(StringUtils.trimTrailingCharacter(text, ' '));
			}
		});
	}

	private <T> Stream<T> stream(Function<StatelessSession, SelectionQuery<T>> query) {
		StatelessSession session = this.factory.openStatelessSession();
		RunningQuery running = null;
		try {
			Transaction transaction = session.getTransaction();
			if (isOfJta(session)) {
				transaction.setTimeout(LONGEST);
			}
			transaction.begin();
			RowStreaming streaming = session.doReturningWork(RowStreaming::of);
			StatelessSession reader = session.doReturningWork((connection) -> streaming.begin(connection, session,
					(streams) -> this.factory.withStatelessOptions().connection(streams).openStatelessSession()));
			session.doWork(this.security::begin);
			RunningQuery started = session.doReturningWork(RunningQuery::of);
			running = started;
			this.running.add(started);
			this.factory.getAutoEnabledFilters().forEach((filter) -> reader.disableFilter(filter.getFilterName()));
			return query.apply(reader)
				.setFetchSize(streaming.fetchSize(this.fetchSize))
				.getResultStream()
				.onClose(() -> {
					if (reader != session) {
						reader.close();
					}
					close(session, started);
				});
		}
		catch (RuntimeException ex) {
			close(session, running);
			throw this.security.explained(filter(), ex);
		}
	}

	/**
	 * Return whether transactions time out, most within a minute by default.
	 */
	private static boolean isOfJta(StatelessSession session) {
		return ((SharedSessionContractImplementor) session).getTransactionCoordinator()
			.getTransactionCoordinatorBuilder()
			.isJta();
	}

	@Override
	public void cancel() {
		if (this.running.isEmpty()) {
			return;
		}
		try (StatelessSession session = this.factory.openStatelessSession()) {
			this.running.forEach((query) -> session.doWork(query::stop));
		}
		catch (HibernateException ex) {
			// they end with their connections
		}
	}

	private void close(StatelessSession session, @Nullable RunningQuery query) {
		if (query != null) {
			query.end();
			this.running.remove(query);
		}
		try (session) {
			if (session.getTransaction().isActive()) {
				try {
					session.doWork(session.doReturningWork(RowStreaming::of)::end);
				}
				finally {
					session.getTransaction().rollback();
				}
			}
		}
	}

	private static @Nullable LongFunction<Number> integers(Class<?> type) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		if (boxed == Long.class) {
			return Long::valueOf;
		}
		if (boxed == Integer.class) {
			return (value) -> (int) Math.max(Integer.MIN_VALUE, Math.min(value, Integer.MAX_VALUE));
		}
		return null;
	}

}
