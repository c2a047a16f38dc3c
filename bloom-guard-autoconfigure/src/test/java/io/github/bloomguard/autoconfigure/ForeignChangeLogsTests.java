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

import java.sql.SQLException;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.ChangeLog;
import io.github.bloomguard.catchup.ChangeLogs;
import org.awaitility.Awaitility;
import org.h2.Driver;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.assertArg;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for change logs that are beans of somebody else.
 */
class ForeignChangeLogsTests {

	private static final String URL = "jdbc:h2:mem:foreign;INIT=create table if not exists product (id bigint primary key)";

	private final ChangeLogs logs = mock();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(BloomGuardAutoConfiguration.class))
		.withClassLoader(new FilteredClassLoader("io.github.bloomguard.changes"))
		.withPropertyValues("bloom-guard.application=shop", "bloom-guard.filters.products.type=memory",
				"bloom-guard.filters.products.expected-insertions=1000", "bloom-guard.filters.products.table=product")
		.withBean(DataSource.class, () -> new SimpleDriverDataSource(new Driver(), URL));

	private ApplicationContextRunner following() {
		return this.runner.withPropertyValues("bloom-guard.filters.products.key-columns=id",
				"bloom-guard.filters.products.changes.enabled=true");
	}

	@Test
	void withoutAnyTheStartStopsAndTheArtifactIsNamed() {
		following().run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOfSatisfying(InvalidGuardException.class, (ex) -> {
				assertThat(ex.getProblem())
					.startsWith("bloom-guard.filters.products.changes.enabled is true, but nothing follows");
				assertThat(ex.getRemedy()).startsWith(
						"Add the dependency io.github.bloomguard:bloom-guard-changes, which follows PostgreSQL");
			}));
	}

	@Test
	void theyAreCheckedAtTheStart() throws SQLException {
		ChangeLog log = mock();
		given(this.logs.support(URL)).willReturn(true);
		given(this.logs.fullName(any(), any())).willReturn("public.product");
		given(this.logs.open(any(), eq(URL), any())).willReturn(log);
		willThrow(new InvalidGuardException("The log is off", "Turn it on")).given(log).check();
		following().withBean(ChangeLogs.class, () -> this.logs)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("The log is off"));
	}

	@Test
	void thoseOfForgottenFiltersAreReleased() {
		given(this.logs.support(URL)).willReturn(true);
		this.runner.withBean(ChangeLogs.class, () -> this.logs).run((context) -> {
			assertThat(context).hasNotFailed();
			Awaitility.await()
				.untilAsserted(() -> then(this.logs).should()
					.retain(any(), assertArg((filters) -> assertThat(filters).isEmpty()), eq(URL), any()));
		});
	}

}
