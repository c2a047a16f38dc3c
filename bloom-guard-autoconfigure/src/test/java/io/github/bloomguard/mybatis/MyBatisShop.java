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

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableField;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableLogic;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.extension.spring.MybatisSqlSessionFactoryBean;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.SelectKey;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.type.StringTypeHandler;
import org.mybatis.spring.mapper.MapperFactoryBean;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with MyBatis-Plus: products have ids of their own, parts those of the
 * database.
 */
@Configuration(proxyBeanMethods = false)
class MyBatisShop {

	static final String[] SCHEMA = {
			"create table product (id bigint primary key, sku varchar(40), name varchar(40), deleted int default 0)",
			"create table part (id bigserial primary key, label varchar(40) default 'none')" };

	static GuardApplication start(TestRedis redis, TestPostgres postgres, String... properties) {
		List<String> all = new ArrayList<>(List.of("spring.datasource.url=" + postgres.url()));
		Map.of("products", "Product", "skus", "Product", "parts", "Part", "labels", "Part")
			.forEach((filter, entity) -> {
				String prefix = "bloom-guard.filters." + filter + ".";
				all.addAll(List.of(prefix + "entity=" + MyBatisShop.class.getName() + "$" + entity,
						prefix + "expected-insertions=10000", prefix + "rebuild.longest-transaction=100ms",
						prefix + "mirror.enabled=false", prefix + "verification.required-calls=0",
						prefix + "verification.mode=off", prefix + "rebuild.settle=0s",
						prefix + "warm-up.recheck-empty=0s"));
			});
		all.add("bloom-guard.filters.skus.attribute=sku");
		all.add("bloom-guard.filters.labels.attribute=label");
		all.addAll(List.of(properties));
		return GuardApplication.start(redis, List.of(MyBatisShop.class), all.toArray(String[]::new));
	}

	@Bean
	MybatisSqlSessionFactoryBean sessions(DataSource dataSource) {
		MybatisSqlSessionFactoryBean sessions = new MybatisSqlSessionFactoryBean();
		sessions.setDataSource(dataSource);
		return sessions;
	}

	@Bean
	MapperFactoryBean<Products> products(SqlSessionFactory sessions) {
		return mapper(Products.class, sessions);
	}

	@Bean
	MapperFactoryBean<Parts> parts(SqlSessionFactory sessions) {
		return mapper(Parts.class, sessions);
	}

	@Bean
	MapperFactoryBean<Statements> statements(SqlSessionFactory sessions) {
		return mapper(Statements.class, sessions);
	}

	@Bean
	MapperFactoryBean<Notes> notes(SqlSessionFactory sessions) {
		return mapper(Notes.class, sessions);
	}

	private static <T> MapperFactoryBean<T> mapper(Class<T> type, SqlSessionFactory sessions) {
		MapperFactoryBean<T> mapper = new MapperFactoryBean<>(type);
		mapper.setSqlSessionFactory(sessions);
		return mapper;
	}

	@TableName("product")
	public static class Product {

		@TableId(type = IdType.ASSIGN_ID)
		private Long id;

		private String sku;

		@TableLogic
		private Integer deleted;

		public Product() {
		}

		Product(String sku) {
			this.sku = sku;
		}

		public Long getId() {
			return this.id;
		}

		public void setId(Long id) {
			this.id = id;
		}

		public String getSku() {
			return this.sku;
		}

		public void setSku(String sku) {
			this.sku = sku;
		}

		public Integer getDeleted() {
			return this.deleted;
		}

		public void setDeleted(Integer deleted) {
			this.deleted = deleted;
		}

	}

	@TableName("part")
	public static class Part {

		@TableId(type = IdType.AUTO)
		private Long id;

		private String label;

		public Part() {
		}

		Part(String label) {
			this.label = label;
		}

		public Long getId() {
			return this.id;
		}

		public void setId(Long id) {
			this.id = id;
		}

		public String getLabel() {
			return this.label;
		}

		public void setLabel(String label) {
			this.label = label;
		}

	}

	@TableName("note")
	public static class Note {

		private String text;

		private LocalDate day;

		@TableField(typeHandler = StringTypeHandler.class)
		private String encoded;

	}

	interface Notes extends BaseMapper<Note> {

	}

	interface Products extends BaseMapper<Product> {

	}

	interface Parts extends BaseMapper<Part> {

	}

	/**
	 * Statements of plain MyBatis.
	 */
	interface Statements {

		@Insert("insert into product (sku, id) values (#{sku}, #{id})")
		int insertProduct(@Param("id") long id, @Param("sku") String sku);

		@Insert("""
				<script>insert into product (id, sku) values
				<foreach collection="products" item="p" separator=",">(#{p.id}, #{p.sku})</foreach></script>""")
		int insertProducts(@Param("products") List<Product> products);

		@Options(useGeneratedKeys = true, keyProperty = "id", keyColumn = "id")
		@Insert("""
				<script>insert into part (label) values
				<foreach collection="list" item="p" separator=",">(#{p.label})</foreach></script>""")
		int insertParts(List<Part> parts);

		@Insert("insert into part (id) values (#{id})")
		int insertPartWithoutLabel(@Param("id") long id);

		@Options(useGeneratedKeys = true, keyProperty = "nowhere", keyColumn = "id")
		@Insert("insert into part (label) values (#{label})")
		int insertPartWithoutItsId(Part part);

		@SelectKey(statement = "select nextval('part_id_seq')", keyProperty = "part.id", before = true,
				resultType = Long.class)
		@Insert("insert into part (id, label) values (#{part.id}, #{part.label})")
		int insertPartOfSequence(@Param("part") Part part);

		@Select(value = "insert into product (id, sku) values (#{id}, #{sku}) returning id", affectData = true)
		long insertAndReturn(@Param("id") long id, @Param("sku") String sku);

		@Select("with i as (select 1) insert into product (id, sku) values (#{id}, 'with') returning id")
		long insertInQuery(@Param("id") long id);

		@Insert("""
				<script><bind name="other" value="@java.lang.System@nanoTime()"/>
				insert into product (id, sku) values (#{other}, #{sku})</script>""")
		int insertBound(@Param("sku") String sku);

		@Insert("insert into product (id, sku) select #{id}, 'selected'")
		int insertSelected(@Param("id") long id);

		@Insert("${sql}")
		int execute(@Param("sql") String sql);

		@Update("update product set sku = #{sku} where id = #{id}")
		int rename(@Param("id") long id, @Param("sku") String sku);

		@Select("select count(*) from part")
		long countParts();

	}

}
