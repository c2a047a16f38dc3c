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

package io.github.bloomguard.advisor;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for what the advisor sees of an application with Redis caches and entities.
 */
@Tag("slow")
class AdvisorTests {

	private static final HttpClient http = HttpClient.newHttpClient();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres.create();

	private static GuardApplication application;

	private static Catalogue catalogue;

	@BeforeAll
	static void start() {
		application = start("bloom-guard.advisor.enabled=true");
		catalogue = application.bean(Catalogue.class);
		application.bean(Parts.class).save(new Part(1, "bolt"));
	}

	private static GuardApplication start(String property) {
		return GuardApplication.start(redis,
				List.of(Caches.class, Catalogue.class, new Keys("products", 10), new Keys("watched", 10)),
				postgres.and(GuardApplication.HIBERNATE, "spring.jpa.hibernate.ddl-auto=update",
						"spring.jpa.open-in-view=false", "spring.cache.type=redis",
						"spring.main.web-application-type=servlet", "server.port=0",
						"management.endpoints.web.exposure.include=bloomguard",
						"bloom-guard.filters.watched.mode=shadow",
						"bloom-guard.filters.watched.expected-insertions=100", property));
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void loadsInsideACacheAreCountedAndHitsAreNot() {
		for (String sku : List.of("bolt", "bolt", "nut", "nut", "screw")) {
			catalogue.findBySku(sku);
		}
		JsonNode report = report("AdvisorTests.Catalogue.findBySku");
		assertThat(report.at("/caches/0").asString()).isEqualTo("parts");
		assertThat(report.at("/found/count").asLong()).isEqualTo(1);
		assertThat(report.at("/empty/count").asLong()).isEqualTo(2);
		assertThat(report.at("/empty/keys").asLong()).isEqualTo(2);
		assertThat(report.at("/empty/meanDuration").asString()).startsWith("PT");
		assertThat(report.path("emptyShare").asDouble()).isBetween(0.6, 0.7);
		assertThat(report.path("worthFilter").asBoolean()).isFalse();
	}

	@Test
	void attributeOfAnEntityIsSuggestedAsTheKeys() {
		catalogue.findBySku("nut");
		assertThat(properties("AdvisorTests.Catalogue.findBySku").toString()).isEqualTo("""
				{"bloom-guard.filters.parts.entity":"%s","bloom-guard.filters.parts.attribute":"sku",\
				"bloom-guard.filters.parts.expected-insertions":"1000000","bloom-guard.filters.parts.caches":"parts"}"""
			.formatted(Part.class.getName()));
		assertThat(report("AdvisorTests.Catalogue.findBySku").at("/suggestion/annotation").asString())
			.isEqualTo("@BloomGuarded(filter = \"parts\", key = \"#sku\")");
	}

	@Test
	void idOfAnEntityNeedsNoAttribute() {
		catalogue.findById(1);
		JsonNode properties = properties("AdvisorTests.Catalogue.findById");
		assertThat(properties.path("bloom-guard.filters.parts-by-id.entity").asString())
			.isEqualTo(Part.class.getName());
		assertThat(properties.has("bloom-guard.filters.parts-by-id.attribute")).isFalse();
	}

	@Test
	void parameterThatIsNoAttributeIsSuggestedAsAQueryToComplete() {
		catalogue.findNewest("steel");
		assertThat(properties("AdvisorTests.Catalogue.findNewest").path("bloom-guard.filters.newest.warm-up.query")
			.asString()).isEqualTo("select material from <table>");
	}

	@Test
	void annotationThatWouldStopTheStartIsSaidToDoSo() {
		catalogue.findNewest("steel");
		assertThat(report("AdvisorTests.Catalogue.findNewest").at("/suggestion/refusal").asString()).contains(
				"@BloomGuarded(key = \"#material\")", "Catalogue.findNewest(String)",
				"is not the key of [newest] there", "write the same key in both annotations");
		catalogue.findBySku("nut");
		assertThat(report("AdvisorTests.Catalogue.findBySku").at("/suggestion/refusal").asString("")).isEmpty();
	}

	@Test
	void repositoriesAreObservedByTheirInterfaces() {
		Parts parts = application.bean(Parts.class);
		parts.readBySku("hook");
		parts.findById(77L);
		assertThat(report("AdvisorTests.Parts.readBySku").at("/empty/count").asLong()).isEqualTo(1);
		assertThat(
				properties("AdvisorTests.Parts.readBySku").path("bloom-guard.filters.repository.attribute").asString())
			.isEqualTo("sku");
		assertThat(properties("AdvisorTests.Parts.findById").toString()).contains(Part.class.getName())
			.doesNotContain("attribute");
	}

	@Test
	void exceptionsThatSayThatNothingIsThereAreNoFailures() {
		assertThatIllegalStateException().isThrownBy(() -> catalogue.require("broken"));
		for (String sku : List.of("none", "no one")) {
			assertThat(catchThrowable(() -> catalogue.require(sku))).isInstanceOf(PartNotFoundException.class);
		}
		JsonNode report = report("AdvisorTests.Catalogue.require");
		assertThat(report.at("/empty/count").asLong()).isEqualTo(2);
		assertThat(report.at("/failed/count").asLong()).isEqualTo(1);
		assertThat(report.at("/suggestion/annotation").asString()).contains("missing = PartNotFoundException.class");
	}

	@Test
	void futuresAreCountedWhenTheyAreComplete() {
		CompletableFuture<Optional<String>> later = new CompletableFuture<>();
		catalogue.findLater(later);
		Awaitility.await().until(() -> advisor().has("AdvisorTests.Catalogue.findLater"));
		assertThat(report("AdvisorTests.Catalogue.findLater").at("/empty/count").asLong()).isZero();
		later.complete(Optional.empty());
		Awaitility.await().until(() -> report("AdvisorTests.Catalogue.findLater").at("/empty/count").asLong() == 1);
	}

	@Test
	void methodThatIsWatchedIsObservedAndOneThatIsAnsweredIsNot() {
		catalogue.findWatched(77);
		catalogue.findGuarded(7);
		assertThat(report("AdvisorTests.Catalogue.findWatched").path("watchedBy").asString()).isEqualTo("watched");
		assertThat(properties("AdvisorTests.Catalogue.findWatched").toString())
			.isEqualTo("{\"bloom-guard.filters.watched.mode\":\"enforce\"}");
		assertThat(advisor().has("AdvisorTests.Catalogue.findGuarded")).isFalse();
	}

	@Test
	void methodWithoutACacheOrWithoutAKeyIsNotObserved() {
		catalogue.uncached("a");
		catalogue.all();
		assertThat(advisor().propertyNames()).doesNotContain("AdvisorTests.Catalogue.uncached",
				"AdvisorTests.Catalogue.all");
	}

	@Test
	void loadsAreMeters() {
		catalogue.findMetered("none");
		FunctionTimer timer = application.bean(MeterRegistry.class)
			.get("bloom.guard.advisor.loads")
			.tag("method", "findMetered")
			.tag("outcome", "empty")
			.functionTimer();
		assertThat(timer.count()).isEqualTo(1);
		assertThat(application.bean(MeterRegistry.class)
			.get("bloom.guard.advisor.keys")
			.tag("method", "findMetered")
			.tag("outcome", "empty")
			.gauge()
			.value()).isEqualTo(1);
	}

	@Test
	void advisorThatIsOffTouchesNoBean() {
		try (GuardApplication off = start("bloom-guard.advisor.enabled=false")) {
			off.bean(Catalogue.class).findBySku("none");
			assertThat(off.context().getBeansOfType(LoadObserver.class)).isEmpty();
			assertThat(advisor(off)).isEmpty();
		}
	}

	private static JsonNode properties(String method) {
		return report(method).at("/suggestion/properties");
	}

	private static JsonNode report(String method) {
		JsonNode report = advisor().path(method);
		assertThat(report.isObject()).as("%s among %s", method, advisor().propertyNames()).isTrue();
		return report;
	}

	private static JsonNode advisor() {
		return advisor(application);
	}

	private static JsonNode advisor(GuardApplication application) {
		String port = application.bean(Environment.class).getProperty("local.server.port");
		try {
			return JsonMapper.shared()
				.readTree(http
					.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/bloomguard"))
						.build(), BodyHandlers.ofString())
					.body())
				.path("advisor");
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Entity
	static class Part implements Serializable {

		@Id
		long id;

		String sku;

		protected Part() {
		}

		Part(long id, String sku) {
			this.id = id;
			this.sku = sku;
		}

	}

	static class PartNotFoundException extends RuntimeException {

	}

	interface Parts extends JpaRepository<Part, Long> {

		@Nullable Part findBySku(String sku);

		@Cacheable("repository")
		@Nullable Part readBySku(String sku);

		@Override
		@Cacheable("parts-by-id")
		Optional<Part> findById(Long id);

	}

	static class Catalogue {

		private final Parts parts;

		Catalogue(Parts parts) {
			this.parts = parts;
		}

		@Cacheable("parts")
		public Part findBySku(String sku) {
			return this.parts.findBySku(sku);
		}

		@Cacheable(cacheNames = "parts-by-id", key = "#id", sync = true)
		public Part findById(long id) {
			return this.parts.findBySku("bolt");
		}

		@Cacheable(cacheNames = "newest", key = "#material.toLowerCase()")
		public Part findNewest(String material) {
			return null;
		}

		@Cacheable("required")
		public Part require(String sku) {
			if (sku.equals("broken")) {
				throw new IllegalStateException("Broken");
			}
			throw new PartNotFoundException();
		}

		@Cacheable(cacheNames = "later", key = "'one'")
		public CompletableFuture<Optional<String>> findLater(CompletableFuture<Optional<String>> result) {
			return result;
		}

		@BloomGuarded(filter = "watched", key = "#id")
		public @Nullable Part findWatched(long id) {
			return null;
		}

		@BloomGuarded(filter = "products", key = "#id")
		@Cacheable("guarded")
		public @Nullable Part findGuarded(long id) {
			return null;
		}

		@Cacheable("metered")
		public Part findMetered(String sku) {
			return null;
		}

		@Cacheable("all")
		public List<String> all() {
			return List.of();
		}

		public Part uncached(String sku) {
			return null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableJpaRepositories(considerNestedRepositories = true, basePackageClasses = AdvisorTests.class)
	static class Caches {

		@Bean
		PersistenceManagedTypes managedTypes() {
			return PersistenceManagedTypes.of(Part.class.getName());
		}

	}

}
