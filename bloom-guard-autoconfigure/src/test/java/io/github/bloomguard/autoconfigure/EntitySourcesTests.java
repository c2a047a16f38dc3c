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

package io.github.bloomguard.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.entity.MappedEntities;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link EntitySources}.
 */
class EntitySourcesTests {

	private static final String ENTITY = "com.acme.Product";

	private static final String PROPERTY = "bloom-guard.filters.products.entity is " + ENTITY;

	private static final EntityKeys KEYS = new EntityKeys("products", ENTITY, null);

	private final MappedEntities unit = mapping("the persistence unit", ENTITY, "com.acme.Order");

	private final MappedEntities aggregates = mapping("Spring Data JDBC", ENTITY);

	private static MappedEntities mapping(String description, String... entities) {
		MappedEntities mapping = mock();
		given(mapping.description()).willReturn(description);
		given(mapping.names()).willReturn(List.of(entities));
		given(mapping.contains(any())).willAnswer((call) -> List.of(entities).contains(call.getArgument(0)));
		return mapping;
	}

	private static EntitySources sources(MappedEntities... mappings) {
		ObjectProvider<EntityMappings> provider = mock();
		given(provider.orderedStream()).willAnswer((call) -> Stream.<EntityMappings>of(() -> Stream.of(mappings)));
		return new EntitySources(mock(), provider, mock(), mock());
	}

	private static void assertRefused(ThrowingCallable call, String problem, String remedy) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(call).satisfies((ex) -> {
			assertThat(ex.getProblem()).contains(problem);
			assertThat(ex.getRemedy()).contains(remedy);
		});
	}

	@Test
	void entityIsThatOfTheMappingThatHasIt() {
		EntityRows rows = mock();
		given(this.unit.rows(KEYS)).willReturn(rows);
		assertThat(sources(this.unit, mapping("Spring Data JDBC", "com.acme.Stock")).rows(KEYS)).isSameAs(rows);
	}

	@Test
	void entityThatNoneOfTheMappingsHasIsRefusedWithThoseThatTheyHave() {
		assertRefused(
				() -> sources(this.unit, this.aggregates).rows(new EntityKeys("products", "com.acme.Prodct", null)),
				"bloom-guard.filters.products.entity is com.acme.Prodct, which is not mapped by the persistence unit and"
						+ " Spring Data JDBC",
				"Write one of the entities [com.acme.Order, com.acme.Product], or add @EntityScan");
	}

	@Test
	void entityIsRefusedWhereNothingMapsAny() {
		assertRefused(() -> sources().rows(KEYS), PROPERTY
				+ ", but there is no persistence unit of Hibernate, no Spring Data JDBC, no Spring Data MongoDB,"
				+ " no MyBatis-Plus",
				"Add spring-boot-starter-data-jpa or spring-boot-starter-data-jdbc or"
						+ " spring-boot-starter-data-mongodb or mybatis-plus-spring-boot4-starter, or remove the entity");
	}

	@Test
	void entityOfTwoMappingsIsRefused() {
		assertRefused(() -> sources(this.unit, this.aggregates).rows(KEYS),
				PROPERTY + ", which is mapped by the persistence unit and Spring Data JDBC",
				"Let one of them map it, of several MongoTemplates or JdbcConverters the @Primary one");
	}

	@Test
	void tableOfWhichEachTenantHasOneIsRefused() {
		assertThatNoException().isThrownBy(() -> sources(this.unit).checkTable("products"));
		given(this.unit.haveTablesOfTenants()).willReturn(true);
		assertRefused(() -> sources(this.unit).checkTable("products"),
				"bloom-guard.filters.products.table is set, but the persistence unit has tenants",
				"Use warm-up.query or a KeySource bean for the keys of all tenants");
	}

	@Test
	void entityWhosePersistenceUnitHasNoDataSourceHasNoLogToFollow() {
		assertRefused(() -> sources(this.unit).dataSource(KEYS),
				PROPERTY + ", whose persistence unit has no DataSource", "set changes.enabled to false");
	}

}
