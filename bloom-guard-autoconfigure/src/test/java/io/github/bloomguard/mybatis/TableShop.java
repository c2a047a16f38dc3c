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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.SelectKey;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.mapper.MapperFactoryBean;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * An application with plain MyBatis, of whose filters only the tables are configured.
 */
@Configuration(proxyBeanMethods = false)
class TableShop {

	static final List<String> FILTERS = List.of("items", "parts", "seats", "codes", "tickets", "numbers");

	private static final String XML = """
			<!DOCTYPE mapper PUBLIC "-//mybatis.org//DTD Mapper 3.0//EN" "https://mybatis.org/dtd/mybatis-3-mapper.dtd">
			<mapper namespace="xml">
				<insert id="insert">
					insert into item
					<trim prefix="(" suffix=")" suffixOverrides=",">item_id, <if test="code != null">code,</if></trim>
					<trim prefix="values (" suffix=")" suffixOverrides=",">#{number,jdbcType=BIGINT},
						<if test="code != null">#{code},</if></trim>
				</insert>
			</mapper>""";

	static String[] schema(String generated) {
		return new String[] { "create table item (item_id bigint primary key, code varchar(40), hidden int default 0)",
				"create table part (id bigint " + generated + " primary key, label varchar(40))",
				"create table seat (number int, hall varchar(20), note varchar(20), primary key (hall, number))",
				"create table ticket (hall varchar(20), number bigint " + generated
						+ " unique, primary key (hall, number))",
				"insert into item (item_id, code) values (-1, 'old')",
				"insert into ticket (hall, number) values ('old', 5000)" };
	}

	static GuardApplication start(TestRedis redis, List<? extends Object> beans, String url) {
		List<String> all = new ArrayList<>(List.of("spring.datasource.url=" + url, table("items") + "item",
				table("parts") + "part", table("seats") + "seat", table("codes") + "item",
				"bloom-guard.filters.codes.key-columns=code", table("tickets") + "ticket", table("numbers") + "ticket",
				"bloom-guard.filters.numbers.key-columns=number"));
		Stream
			.of("expected-insertions=10000", "rebuild.longest-transaction=100ms", "mirror.enabled=false",
					"verification.required-calls=0", "verification.mode=off", "rebuild.settle=0s",
					"warm-up.recheck-empty=0s", "false-positive-probability=0.000000001")
			.forEach((property) -> all.add("bloom-guard.defaults." + property));
		all.add("bloom-guard.filters.products.mode=off");
		return GuardApplication.start(redis, Stream.concat(Stream.of(TableShop.class), beans.stream()).toList(),
				all.toArray(String[]::new));
	}

	private static String table(String filter) {
		return "bloom-guard.filters." + filter + ".table=";
	}

	@Bean
	SqlSessionFactoryBean sessions(DataSource dataSource) {
		return sessionsOf(dataSource);
	}

	static SqlSessionFactoryBean sessionsOf(DataSource dataSource) {
		SqlSessionFactoryBean sessions = new SqlSessionFactoryBean();
		sessions.setDataSource(dataSource);
		sessions.setMapperLocations(new Resource[] { new ByteArrayResource(XML.getBytes()) });
		return sessions;
	}

	@Bean
	MapperFactoryBean<Items> items(SqlSessionFactory sessions) {
		MapperFactoryBean<Items> mapper = new MapperFactoryBean<>(Items.class);
		mapper.setSqlSessionFactory(sessions);
		return mapper;
	}

	/**
	 * The property of the key has not the name of the column.
	 */
	public static class Item {

		private Long number;

		private String code;

		Item(Long number, String code) {
			this.number = number;
			this.code = code;
		}

		public Long getNumber() {
			return this.number;
		}

		public void setNumber(Long number) {
			this.number = number;
		}

		public String getCode() {
			return this.code;
		}

	}

	interface Items {

		@Insert("insert into item (code, item_id) values (#{code}, #{number})")
		int insert(Item item);

		@Insert("""
				<script>insert into item (item_id, code) values
				<foreach collection="items" item="i" separator=",">(#{i.number}, #{i.code})</foreach></script>""")
		int insertAll(@Param("items") List<Item> items);

		@SelectKey(statement = "select coalesce(max(item_id), 0) + 1 from item", keyProperty = "number", before = true,
				resultType = Long.class)
		@Insert("insert into item (item_id, code) values (#{number}, #{code})")
		int insertNext(Item item);

		@Options(useGeneratedKeys = true, keyProperty = "number", keyColumn = "id")
		@Insert("insert into part (label) values (#{code})")
		int insertPart(Item part);

		@Insert("insert into part (label) values (#{label})")
		int insertPartWithoutReadingItsId(@Param("label") String label);

		@Insert("insert into part (id, label) values (#{number}, #{code})")
		int insertPartAsItIs(Item part);

		@Options(useGeneratedKeys = true, keyProperty = "number", keyColumn = "id")
		@Insert("insert into part (id, label) values (#{number}, #{code})")
		int insertPartAndReadItsId(Item part);

		@Options(useGeneratedKeys = true, keyProperty = "number", keyColumn = "id")
		@Insert("""
				<script>insert into part (id, label) values
				<foreach collection="list" item="i" separator=",">(#{i.number}, #{i.code})</foreach></script>""")
		int insertPartsAndReadTheirIds(List<Item> parts);

		@SelectKey(statement = "select 1", keyProperty = "number", before = false, resultType = Long.class)
		@Insert("insert into part (id, label) values (#{number}, #{code})")
		int insertPartAndReadAnotherId(Item part);

		@Insert("insert into seat (number, hall) values (#{number}, #{hall})")
		int insertSeat(@Param("hall") String hall, @Param("number") int number);

		@Insert("insert into ticket (hall, number) values (#{hall}, #{number})")
		int insertTicket(@Param("hall") String hall, @Param("number") Long number);

		@Delete("delete from seat where number = #{number} and hall = #{hall}")
		int deleteSeat(@Param("hall") String hall, @Param("number") int number);

		@Delete("delete from seat where hall = #{hall} and number in (#{one}, #{other})")
		int deleteSeats(@Param("hall") String hall, @Param("one") int one, @Param("other") int other);

		@Update("update seat set note = 'moved' where hall = #{hall} and number = #{number}")
		int noteSeat(@Param("hall") String hall, @Param("number") int number);

		@Update("update seat set number = #{to} where hall = #{hall} and number = #{number}")
		int moveSeat(@Param("hall") String hall, @Param("number") int number, @Param("to") int to);

		@Insert("insert into item (item_id, code) select #{id}, 'selected'")
		int insertSelected(@Param("id") long id);

		@Select(value = "insert into item (item_id) values (#{id}) returning item_id", affectData = true)
		long insertAndReturn(@Param("id") long id);

		@Update("update item set item_id = #{to} where item_id = #{id}")
		int renumber(@Param("id") long id, @Param("to") long to);

		@Update("update item set hidden = #{hidden} where item_id = #{id}")
		int hide(@Param("id") long id, @Param("hidden") int hidden);

		@Delete("delete from item where item_id = #{id}")
		int delete(@Param("id") long id);

		@Delete("delete from item where item_id in (#{one}, #{other})")
		int deleteBoth(@Param("one") long one, @Param("other") long other);

		@Delete("delete from item where code = #{code}")
		int deleteByCode(@Param("code") String code);

		@Select("select count(*) from item where item_id = #{id}")
		int count(@Param("id") long id);

	}

}
