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

package io.github.bloomguard.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;
import com.baomidou.mybatisplus.extension.spring.MybatisSqlSessionFactoryBean;
import io.github.bloomguard.testsupport.GuardApplication;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.transaction.Transaction;
import org.apache.ibatis.transaction.jdbc.JdbcTransaction;
import org.jspecify.annotations.Nullable;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.mapper.MapperFactoryBean;
import org.mybatis.spring.transaction.SpringManagedTransactionFactory;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Inserts customers by MyBatis and MyBatis-Plus: with each executor, by annotations and
 * XML, in transactions of Spring, in sessions of their own, and one by one.
 */
final class MyBatisCustomers implements CustomerWriter {

	private static final String XML = """
			<!DOCTYPE mapper PUBLIC "-//mybatis.org//DTD Mapper 3.0//EN" "https://mybatis.org/dtd/mybatis-3-mapper.dtd">
			<mapper namespace="xml">
				<insert id="insert" useGeneratedKeys="true" keyProperty="id" keyColumn="id">
					insert into customer <trim prefix="(" suffix=")" suffixOverrides=",">name,</trim>
					values <trim prefix="(" suffix=")" suffixOverrides=",">#{name},</trim>
				</insert>
			</mapper>""";

	@Override
	public List<Object> beans(Ledger ledger) {
		return List.of(Mapping.class, Shop.LedgerTransactionManager.class, ledger);
	}

	@Override
	public List<String> properties() {
		return List.of(CustomerWriter.property("products", "entity", Customer.class.getName()),
				CustomerWriter.property("names", "table", "customer"),
				CustomerWriter.property("names", "key-columns", "name"));
	}

	@Override
	public void write(GuardApplication instance, Ledger ledger, Map<Long, Long> ids, Random random, boolean inVain) {
		List<Customer> customers = LongStream.rangeClosed(0, random.nextInt(5))
			.mapToObj((i) -> new Customer(ledger.reserve()))
			.toList();
		ExecutorType executor = ExecutorType.values()[random.nextInt(3)];
		Runnable inserted = () -> {
			Faults.pause((random.nextInt(6) == 0) ? random.nextInt(200) : 0);
			customers.forEach((customer) -> ledger.inserted(customer.number));
		};
		if (!inVain && random.nextInt(6) == 0) {
			ledger.commit(() -> {
				insert(new SqlSessionTemplate(instance.bean(SqlSessionFactory.class), executor), customers, random);
				inserted.run();
			});
		}
		else if (random.nextInt(3) == 0) {
			try (SqlSession session = instance.bean(SqlSessionFactory.class)
				.openSession(executor, connection(instance.bean(DataSource.class)))) {
				insert(session, customers, random);
				inserted.run();
				if (inVain) {
					session.rollback(true);
				}
				else {
					session.commit(true);
				}
			}
		}
		else {
			new TransactionTemplate(instance.bean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
				SqlSession session = new SqlSessionTemplate(instance.bean(SqlSessionFactory.class), executor);
				if (random.nextInt(3) == 0) {
					new Service(session.getMapper(Customers.class)).saveBatch(customers, 2);
				}
				else {
					insert(session, customers, random);
				}
				inserted.run();
				if (inVain) {
					status.setRollbackOnly();
				}
			});
		}
		customers.stream()
			.filter((customer) -> customer.id != null)
			.forEach((customer) -> ids.put(customer.number, customer.id));
	}

	private static void insert(SqlSession session, List<Customer> customers, Random random) {
		Customers mapper = session.getMapper(Customers.class);
		switch (random.nextInt(3)) {
			case 0 -> customers.forEach(mapper::insertAnnotated);
			case 1 -> customers.forEach(mapper::insert);
			default -> customers.forEach((customer) -> session.insert("xml.insert", customer));
		}
	}

	private static Connection connection(DataSource dataSource) {
		try {
			Connection connection = dataSource.getConnection();
			connection.setAutoCommit(false);
			return connection;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String toString() {
		return "MyBatis";
	}

	@TableName("customer")
	public static class Customer {

		private final transient long number;

		@TableId(type = IdType.AUTO)
		private volatile @Nullable Long id;

		private final String name;

		Customer(long number) {
			this.number = number;
			this.name = CustomerWriter.name(number);
		}

		public @Nullable Long getId() {
			return this.id;
		}

		public void setId(Long id) {
			this.id = id;
		}

		public String getName() {
			return this.name;
		}

	}

	interface Customers extends BaseMapper<Customer> {

		@Insert("insert into customer (name) values (#{name})")
		@Options(useGeneratedKeys = true, keyProperty = "id", keyColumn = "id")
		int insertAnnotated(Customer customer);

	}

	private static final class Service extends ServiceImpl<Customers, Customer> {

		Service(Customers mapper) {
			this.baseMapper = mapper;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mapping {

		@Bean
		MybatisSqlSessionFactoryBean sessions(DataSource dataSource, Ledger ledger) {
			MybatisSqlSessionFactoryBean sessions = new MybatisSqlSessionFactoryBean();
			sessions.setDataSource(dataSource);
			sessions.setTransactionFactory(new LedgerTransactions(ledger));
			sessions.setMapperLocations(new ByteArrayResource(XML.getBytes()));
			return sessions;
		}

		@Bean
		MapperFactoryBean<Customers> mapper(SqlSessionFactory sessions) {
			MapperFactoryBean<Customers> mapper = new MapperFactoryBean<>(Customers.class);
			mapper.setSqlSessionFactory(sessions);
			return mapper;
		}

	}

	/**
	 * Tells the ledger of a commit of a session's own before what follows it is run.
	 */
	private static final class LedgerTransactions extends SpringManagedTransactionFactory {

		private final Ledger ledger;

		LedgerTransactions(Ledger ledger) {
			this.ledger = ledger;
		}

		@Override
		public Transaction newTransaction(Connection connection) {
			return new JdbcTransaction(connection) {

				@Override
				public void commit() throws SQLException {
					LedgerTransactions.this.ledger.commit(super::commit);
				}

			};
		}

	}

}
