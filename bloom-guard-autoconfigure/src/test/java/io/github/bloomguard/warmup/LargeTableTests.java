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

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests that a table of millions of rows is loaded by an application with little memory,
 * by a query and through the mapping of an entity. The first two databases are within its
 * memory; the others are tried with {@code -Dlarge.databases=all}.
 */
@Tag("nightly")
class LargeTableTests {

	private static final String LOADED = "loaded";

	private static final int FIRST_ROWS = 78_125;

	private static final int ROWS = 64 * FIRST_ROWS;

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@TempDir
	private static Path directory;

	static Stream<Arguments> databases() {
		Stream<Arguments> first = Stream.of(
				database("H2", "", () -> "jdbc:h2:file:" + directory.resolve("h2") + ";user=sa;password=", "true"),
				database("HSQLDB", "cached ", () -> "jdbc:hsqldb:file:" + directory.resolve("hsqldb"), "true"));
		return !"all".equals(System.getProperty("large.databases")) ? first
				: Stream.concat(first, Stream.of(database("PostgreSQL", "", () -> TestPostgres.create().url(), "true"),
						database("MySQL, Connector/J", "", () -> TestMySql.create().connectorJUrl(), "true"),
						database("MySQL, driver of MariaDB", "", () -> TestMySql.create().mariaDbDriverUrl(), "true"),
						database("MariaDB", "", () -> TestMariaDb.create().mariaDbDriverUrl(), "true"),
						database("MariaDB, Connector/J", "", () -> TestMariaDb.create().connectorJUrl(), "false"),
						database("SQLite", "", () -> "jdbc:sqlite:" + directory.resolve("sqlite"), "false")));
	}

	private static Arguments database(String name, String kind, Supplier<String> url, String mapped) {
		return arguments(name, kind, url, mapped);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("databases")
	void millionsOfRowsAreLoadedWithLittleMemory(String name, String kind, Supplier<String> database, String mapped)
			throws IOException, InterruptedException {
		String url = database.get();
		redis.command("FLUSHALL");
		fill(url, kind);
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:+ExitOnOutOfMemoryError", "-cp", System.getProperty("java.class.path"),
						Application.class.getName(), url, mapped));
		command.addAll(List.of(redis.properties()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try {
			String output = new String(process.getInputStream().readAllBytes());
			assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
			assertThat(output).contains(LOADED);
			System.out.println(name + ": " + output.substring(output.indexOf(LOADED)).strip());
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static void fill(String url, String kind) {
		SingleConnectionDataSource connection = url.contains("user=") ? new SingleConnectionDataSource(url, true)
				: new SingleConnectionDataSource(url, "sa", "", true);
		try {
			JdbcTemplate template = new JdbcTemplate(connection);
			template.execute("create " + kind + "table product (id bigint primary key)");
			for (int first = 1; first <= FIRST_ROWS; first += 3125) {
				template.execute("insert into product values " + String.join(", ",
						LongStream.range(first, first + 3125).mapToObj((id) -> "(" + id + ")").toList()));
			}
			for (int rows = FIRST_ROWS; rows < ROWS; rows += FIRST_ROWS) {
				template.update("insert into product select id + ? from product where id <= ?", rows, FIRST_ROWS);
			}
			if (url.startsWith("jdbc:hsqldb:")) {
				template.execute("shutdown");
			}
		}
		finally {
			connection.destroy();
		}
	}

	/**
	 * The application, in a process of its own.
	 */
	static final class Application {

		private Application() {
		}

		/**
		 * Load the filters.
		 * @param args the URL of the database, whether Hibernate knows it, and properties
		 */
		public static void main(String[] args) {
			boolean mapped = Boolean.parseBoolean(args[1]);
			String other = "bloom-guard.filters.entities.";
			List<String> properties = new ArrayList<>(List.of(args).subList(2, args.length));
			properties.addAll(List.of("spring.datasource.url=" + args[0], "spring.jpa.hibernate.ddl-auto=none",
					"bloom-guard.filters.products.expected-insertions=" + ROWS,
					"bloom-guard.filters.products.warm-up.query=select id from product"));
			if (mapped) {
				properties.addAll(List.of(GuardApplication.HIBERNATE, other + "entity=" + Product.class.getName(),
						other + "verification.required-calls=0", other + "expected-insertions=" + ROWS,
						other + "rebuild.settle=0s", other + "mirror.enabled=false"));
			}
			long begun = System.nanoTime();
			try (GuardApplication application = GuardApplication.start(List.of(Entities.class),
					properties.toArray(String[]::new))) {
				Awaitility.await()
					.atMost(5, TimeUnit.MINUTES)
					.until(() -> application.bean(ManagedFilters.class)
						.stream()
						.allMatch((filter) -> filter.filter().active() != null));
				for (ManagedFilter filter : application.bean(ManagedFilters.class)) {
					assertThat(LongStream.of(1, ROWS / 2, ROWS))
						.allMatch((id) -> application.guard().membership(filter.name(), id) == Membership.MAYBE);
					assertThat(filter.warmUp().progress().loaded()).isEqualTo(ROWS);
				}
				System.out.printf("%s %,d keys of each of %d filters in %d s%n", LOADED, ROWS, mapped ? 2 : 1,
						TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
			}
		}

	}

	@Entity
	@Table(name = "product")
	static class Product {

		@Id
		private long id;

	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		static PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Product.class.getName());
		}

	}

}
