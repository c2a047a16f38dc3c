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

package io.github.bloomguard.mongodb;

import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for what an application says whose filter names a document that can't be meant.
 * No server is needed to find out.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class MongoFailureTests {

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	private static final String ADDRESS = "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	static Stream<Arguments> mistakes() {
		return Stream.of(
				arguments(List.of(template()), Part.class, "nmae", "attribute is nmae, which it does not have",
						"Name one of its attributes: [id, name]"),
				arguments(List.of(template()), Part.class, "size",
						"whose keys are of the type java.lang.Double and may have another form",
						"an integer or a UUID without a conversion, one of [id, name]"),
				arguments(List.of(template()), Part.class, "price", "whose keys are of the type java.lang.String",
						"Name an attribute"),
				arguments(List.of(template()), Named.class, null, "whose collection is #{'a'}",
						"Write the name of the collection"),
				arguments(List.of(template(), template()), Part.class, null,
						"which is mapped by Spring Data MongoDB and Spring Data MongoDB",
						"Let one of them map it, of several MongoTemplates or JdbcConverters the @Primary one"),
				arguments(List.of(new RoutingTemplate()), Part.class, null,
						"but its MongoDatabaseFactory is a " + Routing.class.getName(), "Use a Simple"),
				arguments(List.of(template(), com.mongodb.reactivestreams.client.MongoClients.create(ADDRESS)),
						Part.class, null, "but the reactive MongoClient may write documents, too",
						"Remove that client, or the entity"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void applicationSaysWhatIsWrongAndWhatToWrite(List<?> beans, Class<?> entity, String attribute, String description,
			String action, CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> GuardApplication
					.start(redis, beans, PRODUCTS + "entity=" + entity.getName(),
							(attribute != null) ? PRODUCTS + "attribute=" + attribute : "test.none=true")
					.close());
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("Caused by:");
		assertThat(output).contains(PRODUCTS + "entity is " + entity.getName());
		assertThat(output).contains(description);
		assertThat(output).contains(action);
	}

	@Test
	void documentIsNoAggregateOfSpringDataJdbc(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> GuardApplication
					.start(redis, List.of(template()), GuardApplication.SPRING_DATA_JDBC,
							"spring.datasource.url=jdbc:h2:mem:documents", PRODUCTS + "entity=" + Part.class.getName(),
							PRODUCTS + "attribute=nmae")
					.close());
		assertThat(output).contains("attribute is nmae, which it does not have");
	}

	private static MongoTemplate template() {
		return new MongoTemplate(MongoClients.create(ADDRESS), "shop");
	}

	@Document
	record Part(@Id UUID id, String name, Double size, @Field(targetType = FieldType.DECIMAL128) String price) {
	}

	@Document("#{'a'}")
	record Named(@Id Long id) {
	}

	private static final class RoutingTemplate extends MongoTemplate {

		RoutingTemplate() {
			super(new Routing(MongoClients.create(ADDRESS)));
		}

	}

	private static final class Routing extends SimpleMongoClientDatabaseFactory {

		Routing(MongoClient client) {
			super(client, "shop");
		}

		@Override
		protected MongoDatabase doGetMongoDatabase(String name) {
			return super.doGetMongoDatabase(Locale.getDefault().getCountry());
		}

	}

}
