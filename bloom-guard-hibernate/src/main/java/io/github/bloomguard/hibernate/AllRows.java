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

import org.hibernate.StatelessSession;
import org.hibernate.persister.entity.AbstractEntityPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.query.NativeQuery;
import org.hibernate.query.SelectionQuery;
import org.hibernate.type.BasicType;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Reads the keys of all rows of a table in SQL, also of rows that Hibernate hides now and
 * an update or time may show, such as an unpublished article.
 */
record AllRows(KeyColumns key, BasicType<?> type, KeyColumns id) implements KeyQueries {

	/**
	 * Named, because only later versions of Hibernate have it.
	 */
	private static final String TEMPORAL = "org.hibernate.annotations.Temporal";

	static boolean areHidden(EntityPersister entity) {
		return entity.hasWhereRestrictions() || entity.getSoftDeleteMapping() != null || isTemporal(entity)
				|| (entity instanceof AbstractEntityPersister mapped && mapped.needsDiscriminator());
	}

	private static boolean isTemporal(EntityPersister entity) {
		return MergedAnnotations.from(entity.getMappedClass(), SearchStrategy.TYPE_HIERARCHY).isPresent(TEMPORAL);
	}

	@Override
	public String description() {
		return "all rows of " + this.key;
	}

	@Override
	public boolean areDivisible() {
		return this.id.isSingle() && this.id.table().equals(this.key.table());
	}

	@Override
	public SelectionQuery<Object> keys(StatelessSession session) {
		return query(session, "");
	}

	@Override
	public SelectionQuery<Object> keys(StatelessSession session, Number from, Number to) {
		return query(session, " where r." + this.id.single() + " between :from and :to").setParameter("from", from)
			.setParameter("to", to);
	}

	private NativeQuery<Object> query(StatelessSession session, String where) {
		return session.createNativeQuery("select r." + this.key.single() + " as k" + from() + where, Object.class)
			.addScalar("k", this.type);
	}

	@Override
	public SelectionQuery<Object[]> ends(StatelessSession session) {
		String id = "r." + this.id.single();
		return session.createNativeQuery("select min(" + id + "), max(" + id + ")" + from(), Object[].class);
	}

	private String from() {
		return " from " + this.key.table() + " r";
	}

}
