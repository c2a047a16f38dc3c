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

package io.github.bloomguard.jdbc;

import java.util.Map;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link NamedDataSources}.
 */
class NamedDataSourcesTests {

	private final DataSource main = mock();

	private final DataSource orders = mock();

	private final DataSource stock = mock();

	@Test
	void filterThatNamesNoneHasNone() {
		assertThat(new NamedDataSources(() -> Map.of("main", this.main), (filter) -> null).find("products")).isNull();
	}

	@Test
	void beanOfTheNameIsFound() {
		assertThat(named("orders", Map.of("main", this.main, "orders", this.orders))).isSameAs(this.orders);
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders", "STOCK" })
	void databaseToWhichABeanRoutesIsFoundByItsKey(String key) {
		Map<String, DataSource> expected = Map.of("orders", this.orders, "STOCK", this.stock);
		Map<Object, Object> keys = Map.of("orders", this.orders, Shard.STOCK, this.stock);
		DataSource routing = routing(keys);
		assertThat(named(key, Map.of("dataSource", routing))).isSameAs(expected.get(key));
		assertThat(named(key, Map.of("dataSource", new LazyConnectionDataSourceProxy(routing))))
			.isSameAs(expected.get(key));
		assertThat(named(key, Map.of("dataSource", (DataSource) new ProxyFactory(routing).getProxy())))
			.isSameAs(expected.get(key));
	}

	@Test
	void databaseOfALibrarysOwnRoutingIsFoundByItsName() {
		DataSource routing = new Dynamic(Map.of("orders", this.orders));
		assertThat(named("orders", Map.of("dataSource", routing))).isSameAs(this.orders);
	}

	@Test
	void nameOfABeanComesBeforeAKey() {
		assertThat(named("orders", Map.of("orders", this.orders, "dataSource", routing(Map.of("orders", this.stock)))))
			.isSameAs(this.orders);
	}

	@Test
	void nameThatNothingHasIsRefusedWithThoseThatThereAre() {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(
				() -> named("order", Map.of("main", this.main, "dataSource", routing(Map.of("orders", this.orders)))))
			.satisfies((ex) -> {
				assertThat(ex.getProblem()).contains("bloom-guard.filters.products.data-source is 'order'",
						"neither a DataSource bean nor a database to which one routes");
				assertThat(ex.getRemedy()).isEqualTo("Write one of [dataSource, main, orders]");
			});
	}

	@Test
	void keyThatSeveralHaveIsRefused() {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> named("orders",
					Map.of("first", routing(Map.of("orders", this.orders)), "second",
							routing(Map.of("orders", this.stock)))))
			.withMessageContaining("several DataSource beans route");
	}

	private static DataSource named(String name, Map<String, DataSource> beans) {
		return new NamedDataSources(() -> beans, (filter) -> name).find("products");
	}

	private static DataSource routing(Map<Object, Object> databases) {
		SpringsRouting routing = new SpringsRouting();
		routing.setTargetDataSources(databases);
		routing.afterPropertiesSet();
		return routing;
	}

	private enum Shard {

		STOCK

	}

	static class SpringsRouting extends org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource {

		@Override
		protected Object determineCurrentLookupKey() {
			return "none";
		}

	}

	/**
	 * As that of dynamic-datasource.
	 */
	abstract static class AbstractRoutingDataSource extends AbstractDataSource {

	}

	static class Dynamic extends AbstractRoutingDataSource {

		private final Map<String, DataSource> dataSources;

		Dynamic(Map<String, DataSource> dataSources) {
			this.dataSources = dataSources;
		}

		public Map<String, DataSource> getDataSources() {
			return this.dataSources;
		}

		@Override
		public java.sql.Connection getConnection() {
			throw new UnsupportedOperationException();
		}

		@Override
		public java.sql.Connection getConnection(String username, String password) {
			throw new UnsupportedOperationException();
		}

	}

}
