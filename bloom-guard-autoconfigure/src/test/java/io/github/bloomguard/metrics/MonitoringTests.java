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

package io.github.bloomguard.metrics;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.bloomguard.cache.CacheLoadListener;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Needed;
import io.github.bloomguard.testsupport.Needs;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the board and the alerts that come with the documentation. Those with
 * {@code promtool} are skipped unless the property {@code require.promtool} is set.
 */
@Tag("slow")
class MonitoringTests {

	private static final Path DOCS = Path.of("..", "docs");

	private static final Path BOARD = DOCS.resolve("grafana/bloom-guard.json");

	private static final Path PROMETHEUS = DOCS.resolve("prometheus");

	private static final String PREFIX = "bloom-guard.filters.products.";

	private static final Pattern METRIC = Pattern.compile("\\bbloom_guard_\\w+");

	private static final Pattern METER = Pattern.compile("`(bloom\\.guard\\.[\\w.]+)`");

	/**
	 * What Prometheus appends to the name of a meter.
	 */
	private static final String UNITS = "(_active)?(_seconds|_bytes)?(_total|_count|_gcount|_sum|_gsum|_max|_bucket)?";

	@Test
	void eachMetricOfTheBoardAndTheAlertsExists() throws Exception {
		Set<String> named = metrics(Files.readString(BOARD));
		named.addAll(metrics(Files.readString(PROMETHEUS.resolve("alerts.yml"))));
		assertThat(named).hasSizeGreaterThan(15);
		assertThat(metrics(scrape())).containsAll(named);
	}

	@Test
	void eachMetricIsOnAPageOfTheReference() throws Exception {
		String pages = Files.readString(DOCS.resolve("reference/meters.md"))
				+ Files.readString(DOCS.resolve("reference/caches.md"));
		String documented = METER.matcher(pages)
			.results()
			.map((meter) -> meter.group(1).replace('.', '_'))
			.collect(Collectors.joining("|", "(", ")"));
		assertThat(metrics(scrape())).isNotEmpty()
			.allSatisfy((metric) -> assertThat(metric).matches(documented + UNITS));
	}

	@Test
	void eachPanelOfTheBoardAsksForSomethingAndIsExplained() throws Exception {
		JsonNode panels = JsonMapper.shared().readTree(Files.readString(BOARD)).path("panels");
		assertThat(panels).isNotEmpty().allSatisfy((panel) -> {
			if (!panel.path("type").asString("").equals("row")) {
				assertThat(panel.path("description").asString("")).endsWith(".");
				assertThat(panel.path("targets")).isNotEmpty();
			}
		});
	}

	@Test
	@Needs(Needed.PROMTOOL)
	void expressionsOfTheBoardAreValid(@TempDir Path directory) throws Exception {
		List<String> expressions = expressions();
		String rules = IntStream.range(0, expressions.size())
			.mapToObj((i) -> "      - record: panel:" + i + "\n        expr: '" + expressions.get(i) + "'\n")
			.collect(Collectors.joining("", "groups:\n  - name: board\n    rules:\n", ""));
		promtool(directory, "check", "rules", Files.writeString(directory.resolve("board.yml"), rules).toString());
	}

	@Test
	@Needs(Needed.PROMTOOL)
	void alertsAreRaisedWhenTheyShould() throws Exception {
		promtool(PROMETHEUS, "check", "rules", "alerts.yml");
		promtool(PROMETHEUS, "test", "rules", "alerts-test.yml");
	}

	private static Set<String> metrics(String text) {
		return METRIC.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
	}

	private static List<String> expressions() throws IOException {
		return StreamSupport
			.stream(JsonMapper.shared().readTree(Files.readString(BOARD)).path("panels").spliterator(), false)
			.flatMap((panel) -> StreamSupport.stream(panel.path("targets").spliterator(), false))
			.map((target) -> target.path("expr").asString("").replaceAll("\\$__\\w+", "5m"))
			.toList();
	}

	/**
	 * Return what Prometheus reads of an application to which all has happened that is
	 * measured.
	 */
	private static String scrape() throws Exception {
		TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
				"insert into product select generate_series(1, 10)");
		try (TestRedis redis = TestRedis.start();
				GuardApplication application = GuardApplication.start(redis, List.of(),
						postgres.and("spring.main.web-application-type=servlet", "server.port=0",
								"management.endpoints.web.exposure.include=prometheus",
								PREFIX + "warm-up.query=select id from product", PREFIX + "changes.enabled=true",
								PREFIX + "changes.table=product", PREFIX + "changes.key-columns=id"))) {
			application.awaitReady();
			application.guard().add("products", 11);
			application.guard().rebuild("products");
			CacheLoadListener caches = application.bean(CacheLoadListener.class);
			caches.onLoad("products", Duration.ofMillis(1), false);
			caches.onWait("products", Duration.ofMillis(1), true);
			caches.onEarlyRefresh("products");
			caches.onStale("products", new RuntimeException());
			caches.onNullHit("products");
			String port = application.context().getEnvironment().getRequiredProperty("local.server.port");
			URI uri = URI.create("http://localhost:" + port + "/actuator/prometheus");
			return Awaitility.await()
				.until(() -> HttpClient.newHttpClient()
					.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
					.body(), (body) -> body.contains("bloom_guard_rebuild_seconds_max"));
		}
	}

	private static void promtool(Path directory, String... arguments) throws Exception {
		Process process = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toList())
			.directory(directory.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
	}

}
