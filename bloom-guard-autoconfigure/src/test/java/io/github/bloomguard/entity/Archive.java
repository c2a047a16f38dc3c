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

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.PrimaryKeyJoinColumn;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import org.hibernate.annotations.Filter;
import org.hibernate.annotations.FilterDef;
import org.hibernate.annotations.SQLDelete;
import org.hibernate.annotations.SQLInsert;
import org.hibernate.annotations.SQLRestriction;
import org.hibernate.annotations.SecondaryRow;
import org.hibernate.annotations.SoftDelete;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/**
 * An application of Hibernate with entities whose rows may be hidden now and shown later,
 * and with a filter for each of them.
 */
final class Archive {

	private Archive() {
	}

	/**
	 * Start a Redis in which the filters have been for long.
	 */
	static TestRedis redis() {
		return TestRedis.start()
			.reset("letters", "articles", "cranes", "memos", "tags", "titles", "posters", "captions");
	}

	/**
	 * Start an instance.
	 * @param beans more beans
	 * @param properties more properties
	 */
	static GuardApplication start(TestRedis redis, TestPostgres postgres, List<?> beans, String... properties) {
		List<String> all = new ArrayList<>(List.of(postgres.and(GuardApplication.HIBERNATE,
				"spring.jpa.hibernate.ddl-auto=update", "spring.jpa.open-in-view=false",
				"spring.jpa.properties.hibernate.hbm2ddl.create_namespaces=true")));
		Map.of("products", Note.class, "letters", Letter.class, "articles", Article.class, "cranes", Crane.class,
				"memos", Memo.class)
			.forEach((name, entity) -> Shop.filter(all, name, entity.getName(), null));
		Shop.filter(all, "tags", Tag.class.getName(), "text");
		Shop.filter(all, "posters", Poster.class.getName(), null);
		Shop.filter(all, "captions", Poster.class.getName(), "caption");
		Shop.filter(all, "titles", Article.class.getName(), "title");
		all.addAll(List.of(properties));
		List<Object> registered = new ArrayList<>(List.of(Entities.class));
		registered.addAll(beans);
		return GuardApplication.start(redis, registered, all.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		PersistenceManagedTypes managedTypes() {
			return PersistenceManagedTypes
				.of(Stream
					.of(Note.class, Letter.class, Article.class, Draft.class, Machine.class, Crane.class, Memo.class,
							Tag.class, Poster.class, Caption.class, Correction.class, Reprint.class, Namesake.class,
							Unalike.class)
					.map(Class::getName)
					.toArray(String[]::new));
		}

	}

	/** Its rows stay when they are deleted, and can still be read. */
	@Entity
	@Table(name = "note")
	@SQLDelete(sql = "update note set deleted = true where id = ?")
	static class Note {

		@Id
		String id;

		boolean deleted;

		protected Note() {
		}

		Note(String id) {
			this.id = id;
		}

	}

	/** Its rows stay when they are deleted, and Hibernate does not read them. */
	@Entity
	@Table(name = "letter")
	@SoftDelete
	static class Letter {

		@Id
		String id;

		protected Letter() {
		}

		Letter(String id) {
			this.id = id;
		}

	}

	/** Its rows are hidden until they are published. */
	@Entity
	@Table(name = "article")
	@SQLRestriction("published_at <= now()")
	static class Article {

		@Id
		int id;

		@Column(unique = true)
		String title;

		@Column(name = "published_at")
		LocalDateTime publishedAt = LocalDateTime.of(2020, 1, 1, 0, 0);

		protected Article() {
		}

		Article(int id) {
			this.id = id;
		}

	}

	/** The same rows, all of them. */
	@Entity
	@Table(name = "article")
	static class Draft {

		@Id
		@Column(name = "id")
		Long number;

		@Column(name = "title")
		String heading;

		@Column(name = "published_at")
		LocalDateTime publishedAt;

		protected Draft() {
		}

		Draft(long number, String heading) {
			this.number = number;
			this.heading = heading;
		}

	}

	/** The same rows, whose titles are corrected. */
	@Entity
	@Table(name = "article")
	static class Correction {

		@Id
		int id;

		@Column(insertable = false)
		String title;

		protected Correction() {
		}

	}

	/** The same rows, with the schema in which the table is found without one. */
	@Entity
	@Table(name = "article", schema = "public")
	static class Reprint {

		@Id
		int id;

		String title;

		protected Reprint() {
		}

		Reprint(int id, String title) {
			this.id = id;
			this.title = title;
		}

	}

	/** Other rows, of a table that has the same name in another schema. */
	@Entity
	@Table(name = "article", schema = "elsewhere")
	static class Namesake {

		@Id
		String id;

		int title;

	}

	/** The like with the same keys, which are not stored as they are. */
	@Entity
	@Table(name = "article", schema = "apart")
	@SQLInsert(sql = "insert into apart.article (title, id) values (?, ? + 1000)")
	static class Unalike {

		@Id
		int id;

		String title;

	}

	/** Has subclasses in its own table. */
	@Entity
	@Table(name = "machine")
	@Inheritance
	static class Machine {

		@Id
		int id;

		protected Machine() {
		}

		Machine(int id) {
			this.id = id;
		}

	}

	/** A machine. */
	@Entity
	static class Crane extends Machine {

		protected Crane() {
		}

	}

	/** Its rows are filtered in each session. */
	@Entity
	@Table(name = "memo")
	@FilterDef(name = "kept", autoEnabled = true)
	@Filter(name = "kept", condition = "not thrown_away")
	static class Memo {

		@Id
		int id;

		@Column(name = "thrown_away")
		boolean thrownAway;

		protected Memo() {
		}

		Memo(int id) {
			this.id = id;
		}

	}

	/** Its text is changed on the way, in each place that Java has for that. */
	@Entity
	@Table(name = "tag")
	static class Tag {

		@Id
		int id;

		String text;

		protected Tag() {
		}

		Tag(int id, String text) {
			this.id = id;
			this.text = text;
		}

		@PrePersist
		@PreUpdate
		void fold() {
			this.text = this.text.toLowerCase(Locale.ROOT);
		}

	}

	/** Its captions are in a table of their own, without which there is no poster. */
	@Entity
	@Table(name = "poster")
	@SecondaryTable(name = "caption", pkJoinColumns = @PrimaryKeyJoinColumn(name = "poster_id"))
	@SecondaryRow(table = "caption", optional = false)
	static class Poster {

		@Id
		int id;

		@Column(table = "caption")
		String caption;

		protected Poster() {
		}

	}

	/** The caption of a poster, without the poster. */
	@Entity
	@Table(name = "caption")
	static class Caption {

		@Id
		@Column(name = "poster_id")
		int poster;

		String caption;

		protected Caption() {
		}

		Caption(int poster, String caption) {
			this.poster = poster;
			this.caption = caption;
		}

	}

}
