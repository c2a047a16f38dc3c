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

package io.github.bloomguard.warmup;

import java.util.List;

import javax.sql.DataSource;

import io.github.bloomguard.Membership;
import io.github.bloomguard.autoconfigure.BloomGuardDataSource;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BloomGuardDataSource}.
 */
@Tag("slow")
class BloomGuardDataSourceTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres own = TestPostgres.create("create table product (id bigint primary key)",
			"insert into product values (7)");

	@Test
	void keysAreReadFromTheDataSourceThatIsMeantForThem() {
		TestPostgres applications = TestPostgres.create("create table product (id bigint primary key)");
		try (GuardApplication application = GuardApplication.start(redis, List.of(OwnDataSource.class),
				applications.and("bloom-guard.filters.products.warm-up.query=select id from product"))) {
			application.awaitReady();
			assertThat(application.bean(DataSource.class)).isNotSameAs(own.dataSource());
			assertThat(application.guard().membership("products", 7)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 8)).isEqualTo(Membership.ABSENT);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDataSource {

		@Bean(defaultCandidate = false)
		@BloomGuardDataSource
		DataSource ownDataSource() {
			return own.dataSource();
		}

	}

}
