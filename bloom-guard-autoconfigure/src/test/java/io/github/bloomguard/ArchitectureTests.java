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

package io.github.bloomguard;

import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.cache.CacheRules;
import io.github.bloomguard.changes.PostgresLogs;
import io.github.bloomguard.datajdbc.JdbcEntities;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.gateway.WebFluxGatewayAutoConfiguration;
import io.github.bloomguard.hibernate.HibernateEntities;
import io.github.bloomguard.jdbc.JdbcKeySource;
import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.mongodb.MongoWrites;
import io.github.bloomguard.mybatis.MyBatisAdds;
import io.github.bloomguard.r2dbc.R2dbcKeySource;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.EnvironmentPostProcessor;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the way in which packages may know each other and libraries.
 */
class ArchitectureTests {

	private static final String ROOT = "io.github.bloomguard";

	private static final String AUTOCONFIGURE = ROOT + ".autoconfigure..";

	/**
	 * What each package may import, besides itself and the root. The wiring may import
	 * everything.
	 */
	private static final Map<String, List<String>> MAY_IMPORT = Map.ofEntries(Map.entry("", List.of()),
			Map.entry("annotation", List.of()), Map.entry("call", List.of()),
			Map.entry("declaration", List.of("annotation", "call")),
			Map.entry("result", List.of("annotation", "declaration", "logging")),
			Map.entry("interceptor", List.of("annotation", "call", "declaration", "logging", "result")),
			Map.entry("advisor", List.of("declaration", "interceptor", "filter", "logging", "result")),
			Map.entry("filter", List.of()), Map.entry("circuit", List.of("library", "logging")),
			Map.entry("library", List.of()), Map.entry("logging", List.of("library")), Map.entry("lua", List.of()),
			Map.entry("generation", List.of("filter")),
			Map.entry("instance", List.of("filter", "circuit", "generation", "logging")),
			Map.entry("warmup", List.of("filter", "circuit", "generation", "instance", "logging")),
			Map.entry("feed", List.of("generation", "instance")),
			Map.entry("catchup", List.of("feed", "filter", "generation", "instance", "logging")),
			Map.entry("jdbc", List.of("call", "catchup", "feed", "filter", "logging")),
			Map.entry("mybatis", List.of("call", "entity", "filter", "jdbc", "logging")),
			Map.entry("mongodb", List.of("call", "entity", "filter", "jdbc", "logging")),
			Map.entry("r2dbc", List.of("call", "filter", "jdbc")),
			Map.entry("changes", List.of("call", "catchup", "feed", "library", "logging")),
			Map.entry("gateway", List.of("call")), Map.entry("entity", List.of("call", "filter", "jdbc", "logging")),
			Map.entry("hibernate", List.of("call", "entity", "filter", "jdbc", "logging")),
			Map.entry("datajdbc", List.of("call", "entity", "filter", "jdbc", "logging")),
			Map.entry("sentinel", List.of()), Map.entry("backend", List.of("filter", "generation", "feed", "sentinel")),
			Map.entry("backend.memory", List.of("backend", "filter", "generation", "feed", "sentinel")),
			Map.entry("backend.redis",
					List.of("backend", "filter", "circuit", "generation", "feed", "library", "lua", "sentinel")),
			Map.entry("backend.redis.module",
					List.of("backend", "backend.redis", "filter", "generation", "feed", "lua", "sentinel")),
			Map.entry("statistics", List.of("call", "generation", "logging")),
			Map.entry("source", List.of("feed", "filter", "generation", "logging")),
			Map.entry("deciding",
					List.of("call", "circuit", "feed", "filter", "generation", "instance", "logging", "sentinel",
							"source", "statistics")),
			Map.entry("adding",
					List.of("call", "circuit", "filter", "generation", "instance", "logging", "source", "statistics")),
			Map.entry("verifying",
					List.of("adding", "call", "deciding", "feed", "filter", "generation", "instance", "logging",
							"source", "statistics")),
			Map.entry("guard",
					List.of("adding", "backend", "call", "circuit", "deciding", "feed", "filter", "generation",
							"instance", "logging", "sentinel", "source", "statistics", "verifying", "warmup")),
			Map.entry("cache", List.of("cache.client", "call", "circuit", "filter", "logging", "lua")),
			Map.entry("cache.client", List.of("circuit")), Map.entry("cache.autoconfigure", List.of("cache")),
			Map.entry("metrics",
					List.of("advisor", "feed", "filter", "generation", "guard", "instance", "statistics", "verifying",
							"warmup")),
			Map.entry("health", List.of("feed", "filter", "generation", "guard", "instance", "statistics", "warmup")),
			Map.entry("endpoint", List.of("advisor", "call", "feed", "filter", "generation", "guard", "instance",
					"statistics", "verifying", "warmup")));

	/**
	 * Those of modules that are there for a library or a database, which configure
	 * themselves.
	 */
	private static final List<String> STORES = List.of("hibernate", "datajdbc", "mybatis", "mongodb", "r2dbc",
			"changes", "gateway");

	/**
	 * The layer of Spring Boot 4. That of the line before is a module of its own.
	 */
	private static final List<String> SPRING_BOOT_4 = List.of("autoconfigure.HealthConfiguration",
			"cache.autoconfigure.CacheManagerConfiguration",
			"autoconfigure.redis.JCacheProviderEnvironmentPostProcessor", "autoconfigure.redis.DataRedisConfiguration",
			"health.BloomGuardHealthIndicator");

	private static final JavaClasses classes = new ClassFileImporter()
		.importUrls(List.of(location(BloomGuard.class), location(CacheRules.class), location(BloomGuarded.class),
				location(JdbcKeySource.class), location(RedisBackend.class), location(PostgresLogs.class),
				location(HibernateEntities.class), location(JdbcEntities.class), location(EntityKeys.class),
				location(MyBatisAdds.class), location(MongoWrites.class), location(R2dbcKeySource.class),
				location(WebFluxGatewayAutoConfiguration.class), location(BloomGuardAutoConfiguration.class)));

	static Stream<String> packages() {
		return MAY_IMPORT.keySet().stream();
	}

	@ParameterizedTest
	@MethodSource("packages")
	void packageImportsOnlyWhatItMay(String name) {
		String[] allowed = Stream
			.concat(Stream.of(qualified(name), ROOT), MAY_IMPORT.get(name).stream().map(ArchitectureTests::qualified))
			.toArray(String[]::new);
		noClasses().that()
			.resideInAPackage(qualified(name))
			.should()
			.dependOnClassesThat(
					resideInAnyPackage(ROOT + "..").and(DescribedPredicate.not(resideInAnyPackage(allowed))))
			.check(classes);
	}

	@Test
	void eachPackageIsInTheTable() {
		assertThat(packageNames().filter((name) -> !name.startsWith("autoconfigure")))
			.containsExactlyInAnyOrderElementsOf(MAY_IMPORT.keySet());
	}

	@Test
	void nothingImportsTheWiring() {
		noClasses().that()
			.resideOutsideOfPackage(AUTOCONFIGURE)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(AUTOCONFIGURE)
			.check(classes);
	}

	@Test
	void packagesHaveNoCycles() {
		slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(classes);
	}

	@Test
	void onlyItsBackendAndTheCachesKnowRedisson() {
		onlyKnows("org.redisson..", ROOT + ".backend.redis..", ROOT + ".cache.client..", AUTOCONFIGURE);
	}

	@Test
	void onlyMetricsKnowsMicrometer() {
		onlyKnows("io.micrometer..", ROOT + ".metrics..", ROOT + ".cache.autoconfigure..", AUTOCONFIGURE);
	}

	@Test
	void onlyTheViewsAndTheWiringKnowSpringBoot() {
		classes().that()
			.resideOutsideOfPackages(AUTOCONFIGURE, ROOT + ".cache.autoconfigure..", ROOT + ".health..",
					ROOT + ".endpoint..")
			.and()
			.haveNameNotMatching(".*(AutoConfiguration|Library)(\\$.*)?")
			.should()
			.onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("org.springframework.boot..")))
			.check(classes);
	}

	@Test
	void onlyItsLayerKnowsWhatSpringBoot4HasElsewhere() {
		DescribedPredicate<JavaClass> elsewhere = resideInAnyPackage("org.springframework.boot.cache..",
				"org.springframework.boot.data..", "org.springframework.boot.health..",
				"org.springframework.boot.micrometer..", "org.springframework.boot.thread..")
			.or(equivalentTo(EnvironmentPostProcessor.class));
		assertThat(classes).filteredOn((type) -> knows(type, elsewhere))
			.extracting(JavaClass::getName)
			.containsExactlyInAnyOrderElementsOf(SPRING_BOOT_4.stream().map(ArchitectureTests::qualified).toList());
	}

	@Test
	void onlyWhatStandsAroundMethodsOrReadsKeysWithItKnowsReactor() {
		onlyKnows("reactor..", ROOT + ".interceptor..", ROOT + ".cache", ROOT + ".r2dbc..", ROOT + ".gateway..");
	}

	@Test
	void oneKindOfMethodsKnowsReactorSoThatOthersNeedNone() {
		noClasses().that()
			.resideInAPackage(ROOT + ".interceptor")
			.and()
			.haveNameNotMatching(".*\\.ReactiveCalls(\\$.*)?")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("reactor..")
			.check(classes);
	}

	@Test
	void onlyShapesOfResultsKnowSpringDatasPages() {
		onlyKnows("org.springframework.data.domain..", ROOT + ".result");
	}

	@Test
	void onlyItsPackageKnowsJdbc() {
		onlyKnows("org.springframework.jdbc..", ROOT + ".jdbc..", AUTOCONFIGURE);
		onlyKnows("java.sql..", ROOT + ".jdbc..", ROOT + ".changes..", ROOT + ".mybatis..", ROOT + ".r2dbc..",
				ROOT + ".catchup..", ROOT + ".filter..", ROOT + ".logging..", AUTOCONFIGURE);
	}

	@Test
	void onlyTheirPackageKnowsChangeLogs() {
		onlyKnows("org.postgresql..", ROOT + ".changes..");
		onlyKnows("com.github.shyiko..", ROOT + ".changes..");
	}

	/**
	 * So a new one is a module of its own, and changes no other.
	 */
	@Test
	void onlyItsModuleKnowsALibraryOfEntitiesOrTables() {
		onlyKnows("org.hibernate..", ROOT + ".hibernate..");
		onlyKnows("jakarta.persistence..", ROOT + ".hibernate..");
		onlyKnows("org.springframework.data.relational..", ROOT + ".datajdbc..");
		onlyKnows("org.springframework.data.jdbc..", ROOT + ".datajdbc..");
		onlyKnows("org.apache.ibatis..", ROOT + ".mybatis..");
		onlyKnows("org.mybatis..", ROOT + ".mybatis..");
		onlyKnows("com.baomidou..", ROOT + ".mybatis..");
		onlyKnows("com.mongodb..", ROOT + ".mongodb..");
		onlyKnows("org.bson..", ROOT + ".mongodb..");
		onlyKnows("org.springframework.data.mongodb..", ROOT + ".mongodb..");
		onlyKnows("io.r2dbc..", ROOT + ".r2dbc..");
		onlyKnows("org.springframework.cloud..", ROOT + ".gateway..");
	}

	@Test
	void theWiringKnowsNoModuleOfALibraryOrADatabase() {
		for (String module : STORES) {
			noClasses().that()
				.resideOutsideOfPackage(qualified(module))
				.should()
				.dependOnClassesThat()
				.resideInAPackage(qualified(module))
				.check(classes);
		}
	}

	@Test
	void onlyTheCachesKnowSpringDataRedis() {
		onlyKnows("org.springframework.data.redis..", ROOT + ".cache..", AUTOCONFIGURE);
	}

	/**
	 * The failures of one filter would hide those of another.
	 */
	@Test
	void eachFilterHasLimitsOfTheLogOfItsOwn() {
		noFields().that().haveRawType(ThrottledLog.class).should().beStatic().check(classes);
	}

	@Test
	void allPackagesAreNullMarked() {
		assertThat(packageNames()).isNotEmpty()
			.allSatisfy(
					(name) -> assertThat(classes.getPackage(qualified(name)).tryGetAnnotationOfType(NullMarked.class))
						.as(name)
						.isPresent());
	}

	private static URL location(Class<?> type) {
		return type.getProtectionDomain().getCodeSource().getLocation();
	}

	private static boolean knows(JavaClass type, DescribedPredicate<JavaClass> library) {
		return type.getDirectDependenciesFromSelf()
			.stream()
			.anyMatch((dependency) -> library.test(dependency.getTargetClass()));
	}

	private static void onlyKnows(String library, String... packages) {
		assertThat(classes.stream()
			.flatMap((type) -> type.getDirectDependenciesFromSelf().stream())
			.anyMatch((dependency) -> resideInAnyPackage(library).test(dependency.getTargetClass())))
			.as("somebody uses %s", library)
			.isTrue();
		classes().that()
			.resideOutsideOfPackages(packages)
			.should()
			.onlyDependOnClassesThat(DescribedPredicate.not(resideInAnyPackage(library)))
			.check(classes);
	}

	private static Stream<String> packageNames() {
		return classes.stream()
			.map(JavaClass::getPackage)
			.map(JavaPackage::getName)
			.distinct()
			.map((name) -> name.substring(ROOT.length()).replaceFirst("^\\.", ""));
	}

	private static String qualified(String name) {
		return name.isEmpty() ? ROOT : ROOT + "." + name;
	}

	/**
	 * Each package is a slice of its own.
	 */
	private static final class EachPackage implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			return type.getPackageName().startsWith(ROOT) ? SliceIdentifier.of(type.getPackageName())
					: SliceIdentifier.ignore();
		}

		@Override
		public String getDescription() {
			return "each package";
		}

	}

}
