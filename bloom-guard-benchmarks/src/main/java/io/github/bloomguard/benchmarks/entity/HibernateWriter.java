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

package io.github.bloomguard.benchmarks.entity;

import javax.sql.DataSource;

import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

import org.springframework.context.support.GenericApplicationContext;

/**
 * Hibernate, with batches of JDBC of 50.
 */
public final class HibernateWriter implements ArticleWriter {

	private final SessionFactory sessions;

	public HibernateWriter(DataSource dataSource) {
		Configuration configuration = new Configuration().addAnnotatedClass(Article.class)
			.setProperty("hibernate.hbm2ddl.auto", "update")
			.setProperty("hibernate.jdbc.batch_size", "50");
		configuration.getProperties().put("hibernate.connection.datasource", dataSource);
		this.sessions = configuration.buildSessionFactory();
	}

	@Override
	public String rows() {
		return "entity=" + Article.class.getName();
	}

	@Override
	public void register(GenericApplicationContext context) {
		context.registerBean(SessionFactory.class, () -> this.sessions);
	}

	@Override
	public void insert(int rows) {
		this.sessions.inTransaction((session) -> {
			for (int i = 0; i < rows; i++) {
				session.persist(new Article("article " + i, i));
			}
		});
	}

}
