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

package io.github.bloomguard.catalogue;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link CatalogueQuestion}.
 */
class CatalogueQuestionTests {

	/**
	 * As that of ShardingSphere does with what it can't parse.
	 */
	@Test
	void driverThatThrowsWhatItShouldNotBreaksNoWrite() throws SQLException {
		Connection connection = mock(Connection.class);
		DatabaseMetaData database = mock(DatabaseMetaData.class);
		Savepoint savepoint = mock(Savepoint.class);
		given(database.getDatabaseProductName()).willReturn("PostgreSQL");
		given(connection.getMetaData()).willReturn(database);
		given(connection.setSavepoint()).willReturn(savepoint);
		given(connection.prepareStatement(anyString())).willThrow(new IllegalStateException("Unknown column"));
		assertThat(new RelatedTables().of("shop", "product", () -> connection)).isEqualTo(Map.of());
		then(connection).should().rollback(savepoint);
	}

}
