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

package io.github.bloomguard.entity;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.EnumeratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Lob;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.JavaType;
import org.hibernate.annotations.JdbcType;
import org.hibernate.annotations.Type;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.type.YesNoConverter;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.BasicJavaType;
import org.hibernate.type.descriptor.java.LongJavaType;
import org.hibernate.type.descriptor.jdbc.BigIntJdbcType;
import org.hibernate.usertype.BaseUserTypeSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for entities that can't be followed in a change log, because what their rows have
 * there is another key. No database is needed to find out.
 */
@Tag("slow")
class EntityFeedFailureTests {

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	private static final String ANOTHER_FORM = "Set changes.enabled to false, or remove the entity, set warm-up.query,"
			+ " changes.table and changes.key-columns, and ask with the value of the column";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	static Stream<Arguments> keysOfAnotherForm() {
		return Stream.of(arguments("level", Level.class), arguments("grade", Grade.class), arguments("sku", Sku.class),
				arguments("open", Boolean.class), arguments("closed", Boolean.class), arguments("number", Long.class),
				arguments("notes", String.class), arguments("rank", Long.class), arguments("size", Long.class),
				arguments("weight", Double.class));
	}

	@ParameterizedTest
	@MethodSource("keysOfAnotherForm")
	@Tag("slow")
	void attributeWhoseColumnMayHaveAnotherFormIsRefused(String attribute, Class<?> type) {
		String problem = PRODUCTS + "entity is " + Item.class.getName() + " and " + PRODUCTS + "attribute is "
				+ attribute + ", but the change log may have the column " + attribute + " in another form than "
				+ type.getName() + " has as a key";
		for (Class<? extends Dialect> dialect : List.of(PostgreSQLDialect.class, MySQLDialect.class)) {
			assertRefused(refusal(List.of(unit(dialect)), Item.class, "attribute=" + attribute), problem, ANOTHER_FORM);
			assertRefused(
					refusal(List.of(unit(dialect)), Item.class, "attribute=" + attribute, "changes.table=item",
							"changes.key-columns=\"" + attribute.toUpperCase(Locale.ROOT) + "\""),
					problem, ANOTHER_FORM);
		}
	}

	@ParameterizedTest
	@MethodSource("others")
	void entityWhoseRowsHaveOtherKeysIsRefused(Class<?> entity, List<String> properties, String problem,
			String remedy) {
		assertRefused(refusal(List.of(unit(PostgreSQLDialect.class)), entity, properties.toArray(String[]::new)),
				PRODUCTS + "entity is " + entity.getName() + ", " + problem, remedy);
	}

	static Stream<Arguments> others() {
		return Stream.of(
				arguments(Seat.class, List.of(), "whose keys have several parts, and changes.key-columns is not set",
						"Set it to the columns [number, hall] in the order of the parts"),
				arguments(Seat.class, List.of("changes.key-columns=hall"),
						"whose keys are in [number, hall], but changes.key-columns is [hall]",
						"Remove changes.key-columns, or set it to these columns in the order of the parts"),
				arguments(Ticket.class, List.of(),
						"whose keys are composite, though of one part, so they differ from the values of [number]",
						"Set changes.enabled to false, or let the id be that part alone"),
				arguments(Ticket.class, List.of("changes.key-columns=number"),
						"whose keys are composite, though of one part, so they differ from the values of [number]",
						"Set changes.enabled to false, or let the id be that part alone"),
				arguments(Item.class, List.of("changes.key-columns=id,sku"),
						"whose keys are in [id], but changes.key-columns is [id, sku]",
						"Remove changes.key-columns, or set it to these columns in the order of the parts"),
				arguments(Machine.class, List.of(),
						"whose rows are in several tables, of which changes.enabled follows one",
						"Set changes.enabled to false, or have a filter for each entity that has a table of its own"),
				arguments(Item.class, List.of(),
						"whose persistence unit has no DataSource, so changes.enabled has no log to follow",
						"Give the persistence unit a DataSource, or set changes.enabled to false"));
	}

	@Test
	void idInBytesIsRefusedIfTheApplicationGivesBytesAnotherForm() {
		assertRefused(refusal(List.of(unit(MySQLDialect.class), new HexKeys()), Token.class),
				PRODUCTS + "entity is " + Token.class.getName()
						+ ", but the change log may have the column id in another"
						+ " form than java.util.UUID has as a key",
				ANOTHER_FORM);
	}

	private static void assertRefused(InvalidGuardException refusal, String problem, String remedy) {
		assertThat(refusal).hasMessage(problem + ": " + remedy);
	}

	private static InvalidGuardException refusal(List<?> beans, Class<?> entity, String... properties) {
		String[] all = Stream
			.concat(Stream.of("entity=" + entity.getName(), "changes.enabled=true"), Stream.of(properties))
			.map((property) -> PRODUCTS + property)
			.toArray(String[]::new);
		Throwable cause = catchThrowable(() -> GuardApplication.start(redis, beans, all).close());
		while (!(cause instanceof InvalidGuardException)) {
			assertThat(cause).as("refusal").isNotNull();
			cause = cause.getCause();
		}
		return (InvalidGuardException) cause;
	}

	private static SessionFactory unit(Class<? extends Dialect> dialect) {
		return new Configuration().addAnnotatedClass(Item.class)
			.addAnnotatedClass(Seat.class)
			.addAnnotatedClass(Ticket.class)
			.addAnnotatedClass(Machine.class)
			.addAnnotatedClass(Crane.class)
			.addAnnotatedClass(Token.class)
			.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
			.setProperty("hibernate.dialect", dialect.getName())
			.buildSessionFactory();
	}

	@Entity(name = "item")
	static class Item {

		@Id
		long id;

		Level level;

		@Enumerated(EnumType.STRING)
		Grade grade;

		@Convert(converter = SkuColumn.class)
		Sku sku;

		boolean open;

		@Convert(converter = YesNoConverter.class)
		Boolean closed;

		@JavaType(NegatedLong.class)
		Long number;

		@JdbcType(NegatedBigint.class)
		Long rank;

		@Type(NegatedColumn.class)
		Long size;

		@Lob
		String notes;

		Double weight;

	}

	enum Level {

		LOW, HIGH

	}

	enum Grade {

		GOOD;

		@EnumeratedValue
		final String code = "g";

	}

	record Sku(String text) {

	}

	static class SkuColumn implements AttributeConverter<Sku, String> {

		@Override
		public String convertToDatabaseColumn(Sku sku) {
			return "sku-" + sku.text();
		}

		@Override
		public Sku convertToEntityAttribute(String column) {
			return new Sku(column.substring(4));
		}

	}

	static class NegatedLong extends LongJavaType {

		@Override
		public <X> X unwrap(Long value, Class<X> type, WrapperOptions options) {
			return super.unwrap((value != null) ? -value : null, type, options);
		}

		@Override
		public <X> Long wrap(X value, WrapperOptions options) {
			Long wrapped = super.wrap(value, options);
			return (wrapped != null) ? -wrapped : null;
		}

	}

	static class NegatedBigint extends BigIntJdbcType {

	}

	static class NegatedColumn extends BaseUserTypeSupport<Long> {

		@Override
		protected void resolve(
				BiConsumer<BasicJavaType<Long>, org.hibernate.type.descriptor.jdbc.JdbcType> resolution) {
			resolution.accept(LongJavaType.INSTANCE, BigIntJdbcType.INSTANCE);
		}

	}

	@Entity(name = "seat")
	static class Seat {

		@EmbeddedId
		SeatId id;

	}

	@Embeddable
	record SeatId(int number, String hall) {

	}

	@Entity(name = "ticket")
	static class Ticket {

		@EmbeddedId
		TicketId id;

	}

	@Embeddable
	record TicketId(long number) {

	}

	@Entity(name = "machine")
	@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
	static class Machine {

		@Id
		long id;

	}

	@Entity(name = "crane")
	static class Crane extends Machine {

	}

	@Entity(name = "token")
	static class Token {

		@Id
		UUID id;

	}

	static class HexKeys implements KeyConverter<byte[]> {

		@Override
		public Class<byte[]> type() {
			return byte[].class;
		}

		@Override
		public Object convert(byte[] bytes) {
			return HexFormat.of().formatHex(bytes);
		}

	}

}
