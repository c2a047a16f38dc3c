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

import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.transaction.SpringManagedTransactionFactory;

import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * MyBatis, in transactions of Spring, and in one batch if there are several rows.
 */
public final class MyBatisWriter implements ArticleWriter {

	private static final AtomicLong ids = new AtomicLong(System.currentTimeMillis() << 20);

	private final SqlSessionFactory sessions;

	private final TransactionTemplate transaction;

	private final Articles single;

	private final Articles batch;

	public MyBatisWriter(DataSource dataSource) {
		new JdbcTemplate(dataSource)
			.execute("create table if not exists article (id bigint primary key, name text, price bigint)");
		Configuration configuration = new Configuration(
				new Environment("benchmark", new SpringManagedTransactionFactory(), dataSource));
		configuration.addMapper(Articles.class);
		this.sessions = new SqlSessionFactoryBuilder().build(configuration);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.single = new SqlSessionTemplate(this.sessions, ExecutorType.SIMPLE).getMapper(Articles.class);
		this.batch = new SqlSessionTemplate(this.sessions, ExecutorType.BATCH).getMapper(Articles.class);
	}

	@Override
	public String rows() {
		return "table=article";
	}

	@Override
	public void register(GenericApplicationContext context) {
		context.registerBean(SqlSessionFactory.class, () -> this.sessions);
	}

	@Override
	public void insert(int rows) {
		Articles articles = (rows > 1) ? this.batch : this.single;
		this.transaction.executeWithoutResult((status) -> {
			for (int i = 0; i < rows; i++) {
				articles.insert(ids.incrementAndGet(), "article " + i, i);
			}
		});
	}

	interface Articles {

		@Insert("insert into article (id, name, price) values (#{id}, #{name}, #{price})")
		void insert(@Param("id") long id, @Param("name") String name, @Param("price") long price);

	}

}
