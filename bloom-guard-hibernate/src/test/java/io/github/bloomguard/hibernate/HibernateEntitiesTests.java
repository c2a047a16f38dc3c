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

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.MappedEntities;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SpareConnections;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for which mapped keys a filter can have, and for what is said of the others. No
 * database is needed to find out.
 */
class HibernateEntitiesTests {

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	static Stream<Arguments> mistakes() {
		String entity = PRODUCTS + "entity is " + Part.class.getName();
		String attribute = entity + " and " + PRODUCTS + "attribute is ";
		return Stream.of(
				arguments(unitWithTenants(), part(null), entity + ", but the persistence unit",
						"use warm-up.query or a KeySource bean for the keys of all tenants"),
				arguments(unit(), part("nmae"), attribute + "nmae, which it does not have.",
						"Name one of its attributes: [checked, code, name, place, place.row, place.side, stamp]"),
				arguments(unit(), part("parent"), attribute + "parent, which is an association.",
						"one of [checked, code, name, place, place.row, place.side, stamp]"),
				arguments(unit(), part("checked"), attribute + "checked, which Hibernate does not insert",
						"Name an attribute that is insertable"),
				arguments(unit(), part("place"),
						attribute + "place, whose keys are of the type " + Place.class.getName()
								+ ", which has no canonical form.",
						"Declare a KeyConverter<Place> bean, make the type a record, or set"),
				arguments(unit(), part("place.rwo"), attribute + "place.rwo, which it does not have.",
						"place.row, place.side"),
				arguments(unit(), part("name.length"), attribute + "name.length, which it does not have.",
						"Name one of its attributes"),
				arguments(unit(Crate.class), keys(Crate.class, "content"), PRODUCTS
						+ "attribute is content, whose keys have an association or a collection inside, 'parts'",
						"Name an attribute with a value of its own, one of [content, content.label]"),
				arguments(unit(Crate.class), keys(Crate.class, "content.parts"),
						PRODUCTS + "attribute is content.parts, which is an association.", "content.label"),
				arguments(unit(Pallet.class, Crate.class), keys(Pallet.class, null),
						PRODUCTS + "entity is " + Pallet.class.getName()
								+ ", whose keys have an association or a collection inside, 'crate'",
						"use warm-up.query and @BloomAdd"),
				arguments(unit(), keys(Folder.class, null),
						PRODUCTS + "entity is " + Folder.class.getName() + ", whose keys are of the type "
								+ Place.class.getName(),
						"Declare a KeyConverter<Place> bean"),
				arguments(unit(), part("code"), attribute + "code, whose @ColumnTransformer changes it in SQL",
						"Change it in Java"),
				arguments(unit(), part("stamp"), attribute + "stamp, which the database may generate",
						"Name another attribute"),
				arguments(unit(Ticket.class), keys(Ticket.class, "code"),
						PRODUCTS + "attribute is code, which the database may generate", "Name another attribute"),
				arguments(unit(Label.class), keys(Label.class, null),
						PRODUCTS + "entity is " + Label.class.getName() + ", which @SQLInsert or @SQLUpdate of "
								+ Label.class.getName() + " writes",
						"Remove these annotations, or remove the entity"),
				arguments(unit(PartWriter.class), part("name"),
						attribute + "name, which @SQLInsert or @SQLUpdate of " + PartWriter.class.getName(),
						"use warm-up.query and @BloomAdd"),
				arguments(unit(Sheet.class), keys(Sheet.class, "title"),
						PRODUCTS + "attribute is title, which @SQLInsert or @SQLUpdate of " + Sheet.class.getName(),
						"use warm-up.query and @BloomAdd"),
				arguments(unit(PartTitle.class), part("name"),
						attribute + "name, whose @ColumnTransformer changes it in SQL", "Change it in Java"),
				arguments(unit(Board.class, BoardText.class), keys(Board.class, "text"),
						PRODUCTS + "attribute is text, to whose table the entity " + BoardText.class.getName()
								+ " is mapped too",
						"Map [board_text.text] in both entities as attributes of the same type"),
				arguments(unit(PartCode.class), part(null),
						entity + ", to whose table the entity " + PartCode.class.getName()
								+ " is mapped too, which has these keys in another form or not at all.",
						"Map [part.id] in both entities as attributes of the same type"),
				arguments(unit(PartText.class), part(null),
						entity + ", to whose table the entity " + PartText.class.getName() + " is mapped too",
						"remove the entity, and use warm-up.query and @BloomAdd"),
				arguments(unit(Shelf.class), part(null),
						entity + ", whose table is that of the collection " + Shelf.class.getName() + ".parts too",
						"Map the collection with an entity of its own"),
				arguments(unit(Rack.class, RackPart.class), keys(RackPart.class, "rack"),
						PRODUCTS + "attribute is rack, whose table is that of the collection " + Rack.class.getName()
								+ ".parts too, which does not tell the keys of new rows",
						"by the attribute (mappedBy)"),
				arguments(unit(Rack.class, RackPart.class), keys(RackPart.class, "place"),
						PRODUCTS + "attribute is place, whose table is that of the collection " + Rack.class.getName()
								+ ".byPlace too",
						"by the attribute (mappedBy)"),
				arguments(unit(PartView.class), keys(PartView.class, null),
						PRODUCTS + "entity is " + PartView.class.getName() + ", whose rows are the result of a query",
						"@BloomAdd or catch-up.query"),
				arguments(unit(PartList.class), keys(PartList.class, null),
						PRODUCTS + "entity is " + PartList.class.getName() + ", whose rows are the result of a query",
						"@BloomAdd or catch-up.query"),
				arguments(unit(OpenPart.class), keys(OpenPart.class, null),
						PRODUCTS + "entity is " + OpenPart.class.getName() + ", some of whose rows Hibernate hides",
						"use warm-up.query for the keys of all rows and @BloomAdd"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void keysThatCantBeMeantAreRefusedWithWhatToWrite(SessionFactory unit, EntityKeys keys, String problem,
			String remedy) {
		try (unit) {
			assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> source(unit, keys, List.of()))
				.satisfies((ex) -> {
					assertThat(ex.getProblem() + ".").contains(problem);
					assertThat(ex.getRemedy()).contains(remedy);
				});
		}
	}

	@Test
	void keyOfAnyTypeIsAcceptedThatHasAConverter() {
		try (SessionFactory unit = unit()) {
			assertThat(source(unit, keys(Folder.class, null), List.of(new PlaceKeys())).filter()).isEqualTo("products");
		}
	}

	@Test
	void tenantsHaveTablesOfTheirOwnUnlessAnEntityHasATenantId() {
		try (SessionFactory unit = unitWithTenants(); SessionFactory sharing = unitWithTenants(Note.class)) {
			assertThat(mapped(unit, List.of()).haveTablesOfTenants()).isTrue();
			assertThat(mapped(sharing, List.of()).haveTablesOfTenants()).isFalse();
			assertThat(mapped(sharing, List.of()).haveTenants()).isTrue();
		}
	}

	@Test
	void entitiesAreFoundByTheirNames() {
		try (SessionFactory unit = unit()) {
			assertThat(mapped(unit, List.of()).names()).containsExactly(Folder.class.getName(), Part.class.getName());
			assertThat(mapped(unit, List.of()).contains(Part.class.getName())).isTrue();
			assertThat(mapped(unit, List.of()).contains("com.acme.Prodct")).isFalse();
		}
	}

	private static KeySource source(SessionFactory unit, EntityKeys keys, List<KeyConverter<?>> converters) {
		return mapped(unit, converters).source(keys, 1000, null, RowSecurity.ALLOWED);
	}

	private static MappedEntities mapped(SessionFactory unit, List<KeyConverter<?>> converters) {
		KeyFormat format = new KeyFormat(converters);
		HibernateWrites writes = new HibernateWrites(() -> {
			throw new UnsupportedOperationException();
		}, () -> format, (filter) -> {
			throw new UnsupportedOperationException();
		});
		return HibernateEntities.of(unit, format, writes, SpareConnections.ASSUMED).orElseThrow();
	}

	private static EntityKeys part(String attribute) {
		return keys(Part.class, attribute);
	}

	private static EntityKeys keys(Class<?> entity, String attribute) {
		return new EntityKeys("products", entity.getName(), attribute);
	}

	private static SessionFactory unit(Class<?>... more) {
		return configuration().addAnnotatedClasses(more).buildSessionFactory();
	}

	private static SessionFactory unitWithTenants(Class<?>... entities) {
		return configuration().addAnnotatedClasses(entities)
			.setCurrentTenantIdentifierResolver(new OneTenant())
			.buildSessionFactory();
	}

	private static Configuration configuration() {
		return new Configuration().addAnnotatedClass(Part.class)
			.addAnnotatedClass(Folder.class)
			.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
			.setProperty("hibernate.dialect", PostgreSQLDialect.class.getName());
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
