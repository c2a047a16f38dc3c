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

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.DynamicInsert;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.SQLInsert;
import org.hibernate.annotations.SQLRestriction;
import org.hibernate.annotations.SQLUpdate;
import org.hibernate.annotations.Subselect;
import org.hibernate.annotations.TenantId;
import org.hibernate.annotations.View;
import org.hibernate.cfg.Configuration;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.dialect.PostgreSQLDialect;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.convert.MappingJdbcConverter;
import org.springframework.data.jdbc.core.dialect.JdbcPostgresDialect;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for what an application says whose filter names an entity that can't be meant. No
 * database is needed to find out.
 */
@ExtendWith(OutputCaptureExtension.class)
class EntityFailureTests {

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	private static final String PART = PRODUCTS + "entity=" + Part.class.getName();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	static Stream<Arguments> mistakes() {
		String entity = PRODUCTS + "entity is " + Part.class.getName();
		String attribute = entity + " and " + PRODUCTS + "attribute is ";
		return Stream.of(
				arguments(List.of(unit()), List.of(PRODUCTS + "entity=com.acme.Prodct"),
						PRODUCTS + "entity is com.acme.Prodct, which is not mapped by the persistence unit",
						"Write one of the entities [" + Folder.class.getName() + ", " + Part.class.getName() + "]"),
				arguments(List.of(), List.of(PRODUCTS + "entity=com.acme.Prodct"),
						PRODUCTS + "entity is com.acme.Prodct, but there is no persistence unit of Hibernate, no Spring"
								+ " Data JDBC, no Spring Data MongoDB, no MyBatis-Plus.",
						"Add spring-boot-starter-data-jpa or spring-boot-starter-data-jdbc or"
								+ " spring-boot-starter-data-mongodb or mybatis-plus-spring-boot4-starter, or remove the"
								+ " entity"),
				arguments(List.of(unit(), unit()), List.of(PART), entity + ", which is mapped by the persistence unit",
						"Let one of them map it"),
				arguments(
						List.of(converter(), converter(), new JdbcPostgresDialect(), new JdbcPostgresDialect(),
								new SimpleDriverDataSource(), new SimpleDriverDataSource()),
						List.of(PRODUCTS + "entity=" + Aggregate.class.getName()),
						PRODUCTS + "entity is " + Aggregate.class.getName()
								+ ", which is mapped by Spring Data JDBC and Spring Data JDBC",
						"Let one of them map it, of several MongoTemplates or JdbcConverters the @Primary one"),
				arguments(
						List.of(converter(), new JdbcPostgresDialect(), new SimpleDriverDataSource(),
								new SimpleDriverDataSource()),
						List.of(PRODUCTS + "entity=" + Aggregate.class.getName()),
						PRODUCTS + "entity is " + Aggregate.class.getName() + ", but there is not one DataSource",
						"Mark the one that has its rows as @Primary"),
				arguments(List.of(unitWithTenants()), List.of(PART), entity + ", but the persistence unit",
						"use warm-up.query or a KeySource bean for the keys of all tenants"),
				arguments(List.of(unitWithTenants(), new SimpleDriverDataSource()), List.of(PRODUCTS + "table=part"),
						PRODUCTS + "table is set, but the persistence unit has tenants",
						"Use warm-up.query or a KeySource bean for the keys of all tenants"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "attribute=nmae"),
						attribute + "nmae, which it does not have.",
						"Name one of its attributes: [checked, code, name, place, place.row, place.side, stamp]"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "attribute=parent"),
						attribute + "parent, which is an association.",
						"one of [checked, code, name, place, place.row, place.side, stamp]"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "attribute=checked"),
						attribute + "checked, which Hibernate does not insert", "Name an attribute that is insertable"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "attribute=place"),
						attribute + "place, whose keys are of the type " + Place.class.getName()
								+ ", which has no canonical form.",
						"Declare a KeyConverter<Place> bean, make the type a record, or set"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "attribute=place.rwo"),
						attribute + "place.rwo, which it does not have.", "place.row, place.side"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "attribute=name.length"),
						attribute + "name.length, which it does not have.", "Name one of its attributes"),
				arguments(List.of(unit(Crate.class)), List.of(PRODUCTS + "entity=" + Crate.class
					.getName(), PRODUCTS + "attribute=content"), PRODUCTS
							+ "attribute is content, whose keys have an association or a collection inside, 'parts'",
						"Name an attribute with a value of its own, one of [content, content.label]"),
				arguments(List.of(unit(Crate.class)),
						List.of(PRODUCTS + "entity=" + Crate.class.getName(), PRODUCTS + "attribute=content.parts"),
						PRODUCTS + "attribute is content.parts, which is an association.", "content.label"),
				arguments(List.of(unit(Pallet.class, Crate.class)),
						List.of(PRODUCTS + "entity=" + Pallet.class.getName()),
						PRODUCTS + "entity is " + Pallet.class.getName()
								+ ", whose keys have an association or a collection inside, 'crate'",
						"use warm-up.query and @BloomAdd"),
				arguments(List.of(unit()), List.of(PRODUCTS + "entity=" + Folder.class.getName()),
						PRODUCTS + "entity is " + Folder.class.getName() + ", whose keys are of the type "
								+ Place.class.getName(),
						"Declare a KeyConverter<Place> bean"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "attribute=code"),
						attribute + "code, whose @ColumnTransformer changes it in SQL", "Change it in Java"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "attribute=stamp"),
						attribute + "stamp, which the database may generate", "Name another attribute"),
				arguments(List.of(unit(Ticket.class)),
						List.of(PRODUCTS + "entity=" + Ticket.class.getName(), PRODUCTS + "attribute=code"),
						PRODUCTS + "attribute is code, which the database may generate", "Name another attribute"),
				arguments(List.of(unit(Label.class)), List.of(PRODUCTS + "entity=" + Label.class.getName()),
						PRODUCTS + "entity is " + Label.class.getName() + ", which @SQLInsert or @SQLUpdate of "
								+ Label.class.getName() + " writes",
						"Remove these annotations, or remove the entity"),
				arguments(List.of(unit(PartWriter.class)), List.of(PART, PRODUCTS + "attribute=name"),
						attribute + "name, which @SQLInsert or @SQLUpdate of " + PartWriter.class.getName(),
						"use warm-up.query and @BloomAdd"),
				arguments(List.of(unit(Sheet.class)),
						List.of(PRODUCTS + "entity=" + Sheet.class.getName(), PRODUCTS + "attribute=title"),
						PRODUCTS + "attribute is title, which @SQLInsert or @SQLUpdate of " + Sheet.class.getName(),
						"use warm-up.query and @BloomAdd"),
				arguments(List.of(unit(PartTitle.class)), List.of(PART, PRODUCTS + "attribute=name"),
						attribute + "name, whose @ColumnTransformer changes it in SQL", "Change it in Java"),
				arguments(List.of(unit(Board.class, BoardText.class)),
						List.of(PRODUCTS + "entity=" + Board.class.getName(), PRODUCTS + "attribute=text"),
						PRODUCTS + "attribute is text, to whose table the entity " + BoardText.class.getName()
								+ " is mapped too",
						"Map [board_text.text] in both entities as attributes of the same type"),
				arguments(List.of(unit(PartCode.class)), List.of(PART),
						entity + ", to whose table the entity " + PartCode.class.getName()
								+ " is mapped too, which has these keys in another form or not at all.",
						"Map [part.id] in both entities as attributes of the same type"),
				arguments(List.of(unit(PartText.class)), List.of(PART),
						entity + ", to whose table the entity " + PartText.class.getName() + " is mapped too",
						"remove the entity, and use warm-up.query and @BloomAdd"),
				arguments(List.of(unit(Shelf.class)), List.of(PART),
						entity + ", whose table is that of the collection " + Shelf.class.getName() + ".parts too",
						"Map the collection with an entity of its own"),
				arguments(List.of(unit(Rack.class, RackPart.class)),
						List.of(PRODUCTS + "entity=" + RackPart.class.getName(), PRODUCTS + "attribute=rack"),
						PRODUCTS + "attribute is rack, whose table is that of the collection " + Rack.class.getName()
								+ ".parts too, which does not tell the keys of new rows",
						"by the attribute (mappedBy)"),
				arguments(List.of(unit(Rack.class, RackPart.class)),
						List.of(PRODUCTS + "entity=" + RackPart.class.getName(), PRODUCTS + "attribute=place"),
						PRODUCTS + "attribute is place, whose table is that of the collection " + Rack.class.getName()
								+ ".byPlace too",
						"by the attribute (mappedBy)"),
				arguments(List.of(unit(PartView.class)), List.of(PRODUCTS + "entity=" + PartView.class.getName()),
						PRODUCTS + "entity is " + PartView.class.getName() + ", whose rows are the result of a query",
						"@BloomAdd or catch-up.query"),
				arguments(List.of(unit(PartList.class)), List.of(PRODUCTS + "entity=" + PartList.class.getName()),
						PRODUCTS + "entity is " + PartList.class.getName() + ", whose rows are the result of a query",
						"@BloomAdd or catch-up.query"),
				arguments(List.of(unit(OpenPart.class)), List.of(PRODUCTS + "entity=" + OpenPart.class.getName()),
						PRODUCTS + "entity is " + OpenPart.class.getName() + ", some of whose rows Hibernate hides",
						"use warm-up.query for the keys of all rows and @BloomAdd"),
				arguments(List.of(unit()), List.of(PRODUCTS + "attribute=name"),
						PRODUCTS + "attribute is name, but " + PRODUCTS + "entity is not set.",
						"Set the entity to the class that has the attribute"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "warm-up.partitions=0"),
						PRODUCTS + "warm-up.partitions is 0.", "Set it to the number of key ranges"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	@Tag("slow")
	void applicationSaysWhatIsWrongAndWhatToWrite(List<?> units, List<String> properties, String description,
			String action, CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> GuardApplication.start(redis, units, properties.toArray(String[]::new)).close());
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("Caused by:");
		assertThat(section(output, "Description:")).contains(description);
		assertThat(section(output, "Action:")).contains(action);
	}

	@Test
	void callsGoThroughWherePersistenceIsExcluded(CapturedOutput output) {
		try (GuardApplication application = GuardApplication.start(redis, List.of(new Keys("products", 1)), PART,
				PRODUCTS + "warm-up.blocking=true", PRODUCTS + "changes.enabled=true")) {
			application.awaitState(FilterState.LOADING);
			assertThat(application.products().warmUp().loadIfMissing()).isCompleted();
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.UNKNOWN);
			assertThat(application.guard().membership("products", 2)).isEqualTo(Membership.UNKNOWN);
			assertThat(redis.keys("*:bits:*")).isEmpty();
		}
		assertThat(output.toString().split("this context has no persistence unit", -1)).hasSize(2);
	}

	@Test
	void keyOfAnyTypeIsAcceptedThatHasAConverter() {
		try (GuardApplication application = GuardApplication.start(redis,
				List.of(unit(), new PlaceKeys(), new Keys("products", 1)),
				PRODUCTS + "entity=" + Folder.class.getName())) {
			assertThat(application.products()).isNotNull();
		}
	}

	@Test
	void tableIsReadThatTenantsShare() {
		try (GuardApplication application = GuardApplication.start(redis,
				List.of(unitWithTenants(Note.class), new SimpleDriverDataSource()), PRODUCTS + "table=note")) {
			assertThat(application.products()).isNotNull();
		}
	}

	@Test
	void keysOfABeanNeedNoDatabaseOfAggregates() {
		try (GuardApplication application = GuardApplication.start(redis,
				List.of(converter(), new JdbcPostgresDialect(), new SimpleDriverDataSource(),
						new SimpleDriverDataSource(), new Keys("products", 1)))) {
			assertThat(application.products()).isNotNull();
		}
	}

	private static SessionFactory unit(Class<?>... more) {
		Configuration configuration = configuration();
		for (Class<?> entity : more) {
			configuration.addAnnotatedClass(entity);
		}
		return configuration.buildSessionFactory();
	}

	private static SessionFactory unitWithTenants(Class<?>... entities) {
		return configuration().addAnnotatedClasses(entities)
			.setCurrentTenantIdentifierResolver(new OneTenant())
			.buildSessionFactory();
	}

	private static JdbcConverter converter() {
		return new MappingJdbcConverter(new JdbcMappingContext(), (id, path) -> List.of());
	}

	private static Configuration configuration() {
		return new Configuration().addAnnotatedClass(Part.class)
			.addAnnotatedClass(Folder.class)
			.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
			.setProperty("hibernate.dialect", PostgreSQLDialect.class.getName());
	}

	private static String section(CapturedOutput output, String title) {
		String text = output.toString();
		String rest = text.substring(text.indexOf(title) + title.length()).strip();
		return rest.lines().findFirst().orElseThrow();
	}

	record Aggregate(@org.springframework.data.annotation.Id long id) {
	}

	@Entity
	@Table(name = "part")
	static class Part {

		@Id
		long id;

		String name;

		Place place;

		@ManyToOne
		Part parent;

		@Column(insertable = false)
		String checked;

		@ColumnTransformer(write = "upper(?)")
		String code;

		@Generated(writable = true)
		String stamp;

	}

	/** Its id is another column of the table. */
	@Entity
	@Table(name = "part")
	static class PartCode {

		@Id
		String code;

	}

	/** Its id is the same column as another type. */
	@Entity
	@Table(name = "part")
	static class PartText {

		@Id
		@Column(name = "id")
		String number;

	}

	/** Another id is stored. */
	@Entity
	@SQLInsert(sql = "insert into label (name, id) values (?, ? + 1000)")
	static class Label {

		@Id
		long id;

		String name;

	}

	/** Stores another name in the same rows. */
	@Entity
	@Table(name = "part")
	@SQLUpdate(sql = "update part set name = upper(?) where id = ?")
	static class PartWriter {

		@Id
		long id;

		String name;

	}

	/** Changes the name in the same rows. */
	@Entity
	@Table(name = "part")
	static class PartTitle {

		@Id
		long id;

		@Column(name = "name")
		@ColumnTransformer(write = "upper(?)")
		String title;

	}

	/** Another title is stored, in another table. */
	@Entity
	@SecondaryTable(name = "sheet_title")
	@SQLInsert(table = "sheet_title", sql = "insert into sheet_title (title, id) values (upper(?), ?)")
	static class Sheet {

		@Id
		long id;

		@Column(table = "sheet_title")
		String title;

	}

	@Entity
	@SecondaryTable(name = "board_text")
	static class Board {

		@Id
		long id;

		@Column(table = "board_text")
		String text;

	}

	/** Has the text of a board in another form. */
	@Entity
	@Table(name = "board_text")
	static class BoardText {

		@Id
		long id;

		@Column(name = "text")
		int number;

	}

	@Entity
	static class Shelf {

		@Id
		long id;

		@ElementCollection
		@CollectionTable(name = "part")
		Set<String> parts;

	}

	@Entity
	@DynamicInsert
	static class Ticket {

		@Id
		long id;

		String code;

	}

	/** Its collections write columns of their elements. */
	@Entity
	static class Rack {

		@Id
		int id;

		@OneToMany
		@JoinColumn(name = "rack_id")
		List<RackPart> parts;

		@OneToMany(mappedBy = "owner")
		@OrderColumn(name = "place")
		List<RackPart> byPlace;

	}

	/** Has columns that collections write. */
	@Entity
	static class RackPart {

		@Id
		int id;

		@Column(name = "rack_id")
		Integer rack;

		@Column(name = "place")
		Integer place;

		@ManyToOne
		Rack owner;

	}

	@Entity
	@Subselect("select id from part")
	static class PartView {

		@Id
		long id;

	}

	@Entity
	@View(query = "select id from part")
	static class PartList {

		@Id
		long id;

	}

	@Entity
	@SQLRestriction("not closed")
	static class OpenPart {

		@EmbeddedId
		PartId id;

	}

	@Embeddable
	record PartId(long number, long version) {
	}

	@Entity
	static class Folder {

		@EmbeddedId
		Place place;

	}

	@Embeddable
	static class Place {

		int row;

		int side;

	}

	@Entity
	static class Crate {

		@Id
		long id;

		Content content;

	}

	@Embeddable
	record Content(String label, @ElementCollection Set<String> parts) {
	}

	/** Its id has an association inside. */
	@Entity
	static class Pallet {

		@EmbeddedId
		PalletId id;

	}

	@Embeddable
	record PalletId(int number, @ManyToOne Crate crate) {
	}

	static class PlaceKeys implements KeyConverter<Place> {

		@Override
		public Class<Place> type() {
			return Place.class;
		}

		@Override
		public Object convert(Place place) {
			return List.of(place.row, place.side);
		}

	}

	@Entity
	static class Note {

		@Id
		long id;

		@TenantId
		String tenant;

	}

	static class OneTenant implements CurrentTenantIdentifierResolver<Object> {

		@Override
		public Object resolveCurrentTenantIdentifier() {
			return "one";
		}

		@Override
		public boolean validateExistingCurrentSessions() {
			return false;
		}

	}

}
