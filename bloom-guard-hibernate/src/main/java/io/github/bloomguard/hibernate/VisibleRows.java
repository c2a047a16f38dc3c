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
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.query.SelectionQuery;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of the rows that Hibernate shows.
 */
final class VisibleRows implements KeyQueries {

	private final String entity;

	private final String key;

	private final String columns;

	VisibleRows(EntityPersister entity, @Nullable String attribute, KeyColumns columns) {
		this.entity = " from " + entity.getEntityName() + " e";
		this.key = (attribute != null) ? "e." + attribute : "id(e)";
		this.columns = columns.toString();
	}

	@Override
	public String description() {
		return this.columns;
	}

	@Override
	public boolean areDivisible() {
		return true;
	}

	@Override
	public SelectionQuery<Object> keys(StatelessSession session) {
		return session.createSelectionQuery("select " + this.key + this.entity, Object.class);
	}

	@Override
	public SelectionQuery<Object> keys(StatelessSession session, Number from, Number to) {
		return session
			.createSelectionQuery("select " + this.key + this.entity + " where id(e) between :from and :to",
					Object.class)
			.setParameter("from", from)
			.setParameter("to", to);
	}

	@Override
	public SelectionQuery<Object[]> ends(StatelessSession session) {
		return session.createSelectionQuery("select min(id(e)), max(id(e))" + this.entity, Object[].class);
	}

}
