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

package io.github.bloomguard.endpoint;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import io.github.bloomguard.testsupport.Browser;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a person sees of the endpoint in a real browser.
 */
@Tag("slow")
class PageInBrowserTests {

	private static final String PRODUCTS = "[data-filter=products] ";

	private static final String WATCHED = "[data-filter=watched] ";

	private static final Path PICTURES = Path.of("target", "pictures");

	private static final String ADVICE = """
			{
				'ProductService.findBySku': {
					found: { count: 1302000, keys: 31000, meanDuration: 'PT0.0012S' },
					empty: { count: 798000, keys: 790312, meanDuration: 'PT0.00083S' },
					failed: { count: 0, keys: 0, meanDuration: 'PT0S' },
					emptyShare: 0.38, emptyPerSecond: 410.3, worthFilter: true, watchedBy: null,
					suggestion: { properties: { 'bloom-guard.filters.skus.entity': 'com.acme.Product',
						'bloom-guard.filters.skus.expected-insertions': '1000000' },
						annotation: '@BloomGuarded(filter = "skus", key = "#sku")', sizeInBytes: 1198133 }
				},
				'OrderService.find': {
					found: { count: 90, keys: 60, meanDuration: 'PT0.002S' },
					empty: { count: 10, keys: 1, meanDuration: 'PT0.001S' },
					failed: { count: 2, keys: 2, meanDuration: 'PT1S' },
					emptyShare: 0.098, emptyPerSecond: 0, worthFilter: false, watchedBy: 'watched',
					suggestion: { properties: { 'bloom-guard.filters.watched.mode': 'enforce' },
						annotation: null, sizeInBytes: 1198133 }
				}
			}""";

	private static Browser browser;

	private static TestRedis redis;

	private static SlowSource products;

	private static GuardApplication application;

	@BeforeAll
	static void start() {
		browser = Browser.start();
		redis = TestRedis.start();
		products = new SlowSource("products");
		application = start("bloom-guard.page.read-only=false");
	}

	private static GuardApplication start(String property) {
		return GuardApplication.start(redis, List.of(products, new SlowSource("watched")),
				"spring.main.web-application-type=servlet", "server.port=0",
				"management.endpoints.web.exposure.include=*", "bloom-guard.timeout=1s",
				"bloom-guard.filters.products.expected-insertions=1500", "bloom-guard.filters.watched.mode=shadow",
				"bloom-guard.filters.watched.expected-insertions=1500",
				"bloom-guard.filters.watched.verification.required-calls=0",
				"bloom-guard.filters.watched.rebuild.settle=0s",
				"bloom-guard.filters.watched.rebuild.longest-transaction=100ms", property);
	}

	@AfterAll
	static void stop() {
		if (application != null) {
			application.close();
		}
		if (redis != null) {
			redis.close();
		}
		if (browser != null) {
			browser.close();
		}
	}

	@BeforeEach
	void openPage() {
		application.awaitReady();
		browser.resize(1280, 1000).prefer("light").open(address(application));
		browser.awaitText(PRODUCTS + "[data-part=state]", "READY");
	}

	@AfterEach
	void nothingIsComplainedAbout() {
		assertThat(browser.complaints()).isEmpty();
	}

	@Test
	void filterThatIsReadyShowsHowFullItIsAndHowOftenItErrs() {
		browser.awaitText(PRODUCTS + "[data-part=keys]", "1,500 expected");
		assertThat(browser.text(PRODUCTS + "[data-part=name]")).isEqualTo("products");
		assertThat(browser.text(PRODUCTS + "[data-part=keys]")).matches("about (9\\d\\d|1,0\\d\\d) of 1,500 expected");
		assertThat(browser.text(PRODUCTS + "[data-part=fill]")).matches("\\d\\d(\\.\\d)? %");
		assertThat(browser.text(PRODUCTS + "[data-part=scale]")).contains("configured", "1 %", "from the bits",
				"of the calls");
		assertThat(browser.text(PRODUCTS + "[data-part=generation]")).matches("generation [0-9a-f]{8}, built .* ago");
		assertThat(browser.text(PRODUCTS + "[data-part=since]")).startsWith("since ");
		assertThat(browser.text("[data-part=instance]")).startsWith("What the instance ");
		assertThat(browser.text("[data-part=glance]")).contains("products", "watched");
		assertThat(browser.text(PRODUCTS + "[data-part=advice]")).isEmpty();
		assertThat(browser.driver().getTitle()).isEqualTo("bloom-guard");
	}

	@Test
	void attackIsDrawnWhileItGoesOn() {
		whileAttacked(() -> {
			Browser.await("absent keys are counted")
				.until(() -> browser.text(PRODUCTS + "[data-rate=absent]").matches("[\\d,.]*[1-9][\\d,.]*"));
			Browser.await("the chart has an area")
				.until(() -> !browser.driver().findElements(byCss(PRODUCTS + ".chart path.absent")).isEmpty());
			assertThat(browser.find(PRODUCTS + ".chart svg").getDomAttribute("aria-label")).contains(" absent");
			assertThat(browser.text(PRODUCTS + "[data-part=top]")).endsWith("/s");
			assertThat(browser.text(PRODUCTS + "[data-part=begin]")).matches("(1 min|60 s).* ago");
			Browser.await("the share of the calls")
				.until(() -> browser.text(PRODUCTS + ".scale"), (text) -> !text.contains("yet"));
		});
	}

	@Test
	void warmUpShowsHowFarItIsAndHowLongItTakes() {
		products.stopHalfway();
		redis.command("FLUSHALL");
		try {
			browser.awaitText(PRODUCTS + "[data-part=state]", "LOST");
			browser.awaitText(PRODUCTS + "[data-part=loading-text]", "Loading: 400 of about 1,000 keys, 40 %");
			browser.awaitText(PRODUCTS + "[data-part=loading-left]", " left");
			assertThat(browser.find(PRODUCTS + "progress").getDomProperty("value")).isEqualTo("400");
			browser.photograph(PICTURES.resolve("lost.png"));
		}
		finally {
			products.goOn();
		}
		browser.awaitText(PRODUCTS + "[data-part=state]", "READY");
		Browser.await("it is loaded").until(() -> browser.text(PRODUCTS + "[data-part=loading]").isEmpty());
	}

	@Test
	void filterThatIsLostSaysWhy() {
		products.stopHalfway();
		try {
			redis.command("DEL", bits());
			browser.awaitText(PRODUCTS + "[data-part=state]", "LOST");
			browser.awaitText(PRODUCTS + "[data-part=advice]", "Every call goes through until it has been rebuilt");
			assertThat(browser.text(PRODUCTS + "[data-part=advice-reason]")).startsWith("Reason: ");
			assertThat(browser.text("[data-part=glance]")).contains("LOST");
			assertThat(browser.driver().getTitle()).isEqualTo("products LOST – bloom-guard");
		}
		finally {
			products.goOn();
		}
		browser.awaitText(PRODUCTS + "[data-part=state]", "READY");
	}

	@Test
	void silentRedisIsCalledUnreachable() {
		redis.freeze();
		try {
			browser.awaitText(PRODUCTS + "[data-part=state]", "UNREACHABLE");
			browser.awaitText(PRODUCTS + "[data-part=advice]", "Redis does not answer in time");
			assertThat(browser.driver().getTitle()).isEqualTo("2 filters not ready – bloom-guard");
			browser.photograph(PICTURES.resolve("unreachable.png"));
		}
		finally {
			redis.thaw();
		}
		browser.awaitText(PRODUCTS + "[data-part=state]", "READY");
	}

	@Test
	void rebuildAsksFirst() {
		String former = application.products().filter().active().id();
		browser.find(PRODUCTS + "[data-part=rebuild]").click();
		browser.awaitText("dialog", "Rebuild products?");
		browser.photograph(PICTURES.resolve("question.png"));
		browser.find("dialog").sendKeys(Keys.ESCAPE);
		Browser.await("the question is gone").until(() -> browser.text("dialog").isEmpty());
		assertThat(browser.driver().switchTo().activeElement().getText()).isEqualTo("Rebuild …");
		assertThat(application.products().filter().active().id()).isEqualTo(former);
		browser.find(PRODUCTS + "[data-part=rebuild]").sendKeys(Keys.ENTER);
		browser.awaitText("dialog", "Rebuild products?");
		browser.find("dialog [data-part=yes]").click();
		browser.awaitText(PRODUCTS + "[data-part=done]", "The rebuild has begun.");
		Browser.await("another generation").until(() -> {
			Generation active = application.products().filter().active();
			return active != null && !active.id().equals(former);
		});
	}

	@Test
	void modeIsSwitchedAndTheSwitchTakenBack() {
		browser.find(PRODUCTS + "[data-part=switch]").sendKeys("s");
		browser.awaitText("dialog", "Switch products to shadow?");
		browser.find("dialog [data-part=yes]").click();
		browser.awaitText(PRODUCTS + "[data-part=state]", "SHADOW");
		browser.awaitText(PRODUCTS + "[data-part=switched]", "Its mode was switched at run time, in all instances");
		assertThat(browser.text(PRODUCTS + "[data-part=switched]")).contains("Choose “as configured: enforce”");
		browser.find(PRODUCTS + "[data-part=switch]").sendKeys("a");
		browser.awaitText("dialog", "Take the switch of products back?");
		browser.find("dialog [data-part=yes]").click();
		browser.awaitText(PRODUCTS + "[data-part=state]", "READY");
	}

	@Test
	void falseNegativeIsShownUntilItIsAcknowledged() {
		assertThat(browser.text(WATCHED + "[data-part=acknowledge]")).isEmpty();
		GuardedFilter watched = application.filter("watched");
		watched.loaded(-1, watched.check(-1).await(), false, false);
		browser.awaitText(WATCHED + "[data-part=false-negatives]", "1 key was found that the filter had called absent");
		browser.find(WATCHED + "[data-part=acknowledge]").click();
		browser.awaitText("dialog", "Acknowledge watched?");
		browser.find("dialog [data-part=yes]").click();
		Browser.await("it is acknowledged")
			.until(() -> browser.text(WATCHED + "[data-part=false-negatives]").isEmpty());
		assertThat(browser.text(WATCHED + "[data-part=done]")).isEqualTo("Acknowledged.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			products | 42      | MAYBE: 42 may exist.
			products | absent  | ABSENT: absent does not exist, that is certain. A call for it is answered with nothing
			watched  | absent  | A call for it goes through all the same, because the filter only watches.
			""")
	void keyCanBeTried(String filter, String key, String answer) {
		String card = "[data-filter=" + filter + "] ";
		browser.awaitText(card + "[data-part=state]", filter.equals("watched") ? "SHADOW" : "READY");
		String asked = key.equals("absent") ? absentKey(filter) : key;
		long counted = application.products().statistics().count(Outcome.MAYBE);
		browser.find(card + "[data-part=key]").sendKeys(asked, Keys.ENTER);
		browser.awaitText(card + "[data-part=answer]", answer.replace("absent does", asked + " does"));
		assertThat(application.products().statistics().count(Outcome.MAYBE)).isEqualTo(counted);
	}

	/**
	 * Return a key that is no false positive.
	 */
	private static String absentKey(String filter) {
		return IntStream.range(0, 100)
			.mapToObj((i) -> "absent" + i)
			.filter((key) -> application.guard().membership(filter, key) == Membership.ABSENT)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void keyIsTextAndNotMarkup() {
		String hostile = "<img src=x onerror=\"document.title='hit'\"><b>'\"&amp;";
		browser.find(PRODUCTS + "[data-part=key]").sendKeys(hostile, Keys.ENTER);
		browser.awaitText(PRODUCTS + "[data-part=answer] code", hostile);
		assertThat(browser.driver().findElements(byCss("main img, main b b, [data-part=answer] b"))).isEmpty();
		assertThat(browser.driver().getTitle()).isEqualTo("bloom-guard");
	}

	@Test
	void whatIsReportedIsTextAndNotMarkup() {
		String hostile = "<img src=x onerror=\"document.title='hit'\">";
		withReports("""
				const name = `%s`;
				const {products} = body.filters;
				Object.assign(products, {reason: name, type: name, generation: name, state: 'LOST'});
				products.warmUp = {status: name, error: name, loaded: 0};
				products.changes = {position: name, behindSince: products.since, added: 1, error: name};
				products.mirror = {state: name, sizeInBytes: 1, answered: 1, position: name};
				body.filters = {[name]: products};
				""".formatted(hostile), () -> {
			browser.awaitText("article h2", hostile);
			assertThat(browser.text("[data-part=advice-reason]")).contains(hostile);
			browser.find("summary").click();
			assertThat(browser.text("dl")).contains("Rows of others", "Mirror", hostile);
			browser.find("[data-part=rebuild]").click();
			browser.awaitText("dialog", "Rebuild " + hostile + "?");
			assertThat(browser.driver().findElements(byCss("main img, dialog img"))).isEmpty();
			assertThat(browser.driver().getTitle()).isEqualTo(hostile + " LOST – bloom-guard");
		});
	}

	@ParameterizedTest
	@CsvSource({ "light", "dark" })
	void smallAndLargeNumbersAreReadByPeople(String scheme) {
		browser.resize(1280, 1400).prefer(scheme);
		withReports("""
				Object.assign(body.filters.products, {falsePositiveProbability: 1e-7, fillRatio: 3e-9,
					estimatedFalsePositiveProbability: 2e-12, generation: 'g'.repeat(32)});
				body.advisor = %s;
				body.advisor['ProductService.findBySku'].empty.meanDuration = 'PT1.7S';
				""".formatted(ADVICE), () -> {
			browser.awaitText("[data-method='ProductService.findBySku']", "798,000 (38 %)");
			browser.photograph(PICTURES.resolve("numbers-" + scheme + ".png"));
			assertThat(browser.text("main")).doesNotContainPattern("\\de[+-]?\\d+ (%|ms)");
			assertThat(browser.text(PRODUCTS + ".scale")).contains("0.00001 %", "under 0.0001 %");
			assertThat(browser.text(PRODUCTS + "[data-part=fill]")).isEqualTo("under 0.0001 %");
			assertThat(browser.text("[data-method='ProductService.findBySku']")).endsWith("1.7 s");
			assertThat(browser.text("[data-method='OrderService.find']")).endsWith("1 ms");
		});
	}

	@Test
	void switchSaysWhichModeIsConfigured() {
		assertThat(browser.text(PRODUCTS + "[data-part=switch] option")).isEqualTo("as configured: enforce");
		assertThat(browser.text(WATCHED + "[data-part=switch] option")).isEqualTo("as configured: shadow");
	}

	@Test
	void mirrorIsShownWhereThereIsOne() {
		withReports("""
				body.filters.products.mirror = {state: 'ANSWERING', sizeInBytes: 1200000, answered: 7, position: '5-0'};
				body.filters.products.requests.absent = 14;
				body.filters.products.requests.maybe = 0;
				body.filters.products.requests.unknown = 0;
				""", () -> {
			browser.awaitText(PRODUCTS + "[data-part=name]", "products");
			browser.find(PRODUCTS + "summary").click();
			browser.awaitText(PRODUCTS + "dl",
					"ANSWERING, 1.2 MB, 7 answered in this process (50 %), journal read to 5-0");
		});
	}

	@Test
	void onlyOneOfSeveralInstancesIsShown() {
		withReports("""
				window.turn = (window.turn || 0) + 1;
				for (const {instance} of Object.values(body.filters)) {
					instance.id = window.turn % 2 ? 'one' : 'other';
					instance.startedAt = '2026-01-01T00:00:00Z';
				}
				body.filters.products.expectedInsertions = window.turn % 2 ? 1111 : 2222;
				""", () -> {
			browser.awaitText("[data-part=several]", "2 instances have answered at this address");
			assertThat(browser.text("[data-part=several]")).contains("Shown is one alone");
			assertThat(browser.text(PRODUCTS + "[data-part=keys]")).endsWith("of 1,111 expected");
		});
	}

	@Test
	void pageWithoutFiltersSaysSo() {
		withReports("body.filters = {};", () -> browser.awaitText("[data-part=instance]", "No filter is configured."));
	}

	@Test
	void readOnlyPageHasNoButtonsThatChangeSomething() {
		try (GuardApplication readOnly = start("bloom-guard.page.read-only=true")) {
			readOnly.awaitReady();
			browser.open(address(readOnly));
			browser.awaitText(PRODUCTS + "[data-part=state]", "READY");
			assertThat(browser.driver().findElements(byCss("[data-part=rebuild], [data-part=acknowledge]"))).isEmpty();
			browser.find(PRODUCTS + "[data-part=key]").sendKeys("42", Keys.ENTER);
			browser.awaitText(PRODUCTS + "[data-part=answer]", "MAYBE");
		}
	}

	@Test
	void refusalIsTold() {
		try (GuardApplication readOnly = start("management.endpoint.bloomguard.access=read-only")) {
			readOnly.awaitReady();
			browser.open(address(readOnly));
			browser.awaitText(PRODUCTS + "[data-part=state]", "READY");
			assertThat(browser.driver().findElements(byCss("[data-part=rebuild]"))).isEmpty();
			browser.find(PRODUCTS + "[data-part=key]").sendKeys("42", Keys.ENTER);
			browser.awaitText(PRODUCTS + "[data-part=answer]", "(40");
			assertThat(browser.complaints()).as("what the browser itself says of such an answer").hasSize(1);
		}
	}

	@Test
	void keyboardReachesEverything() {
		browser.find("body").click();
		Browser.await("the field for a key has the focus").until(() -> {
			browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
			return "key".equals(browser.driver().switchTo().activeElement().getDomAttribute("data-part"));
		});
	}

	@ParameterizedTest
	@CsvSource({ "1280, light", "1280, dark", "360, light", "360, dark" })
	void nobodyIsKeptOut(int width, String scheme) {
		browser.resize(width, 1900).prefer(scheme);
		whileAttacked(() -> {
			Browser.await("the chart has an area")
				.until(() -> !browser.driver().findElements(byCss(PRODUCTS + ".chart path.absent")).isEmpty());
			browser.find(PRODUCTS + "summary").click();
			browser.find(PRODUCTS + "[data-part=key]").sendKeys("42", Keys.ENTER);
			browser.awaitText(PRODUCTS + "[data-part=answer]", "MAYBE");
			browser.photograph(PICTURES.resolve("page-" + width + "-" + scheme + ".png"));
			assertThat(browser.barriers()).isEmpty();
			assertThat(browser.overflow()).isZero();
		});
	}

	@ParameterizedTest
	@CsvSource({ "1280, light", "1280, dark", "360, light", "360, dark" })
	void adviceIsShownWithWhatToCopy(int width, String scheme) {
		browser.resize(width, 900).prefer(scheme);
		withReports("body.filters = {}; body.advisor = " + ADVICE + ";", () -> {
			browser.awaitText("[data-part=instance]", "No filter is configured.");
			browser.awaitText("[data-method='ProductService.findBySku']", "798,000 (38 %)");
			assertThat(browser.text("[data-method='ProductService.findBySku']")).contains("410 a second");
			assertThat(browser.text("[data-suggestion='ProductService.findBySku'] pre")).isEqualTo("""
					bloom-guard.filters.skus.entity: com.acme.Product
					bloom-guard.filters.skus.expected-insertions: 1000000

					@BloomGuarded(filter = "skus", key = "#sku")""");
			assertThat(browser.find("[data-suggestion='OrderService.find'] pre").isDisplayed())
				.as("what is not worth it is closed")
				.isFalse();
			browser.photograph(PICTURES.resolve("advisor-" + width + "-" + scheme + ".png"));
			assertThat(browser.barriers()).isEmpty();
			assertThat(browser.overflow()).isZero();
		});
	}

	private static By byCss(String selector) {
		return By.cssSelector(selector);
	}

	/**
	 * Change what the page is told, as an endpoint that is not trusted might.
	 */
	private static void withReports(String change, Runnable test) {
		Object script = browser.driver().executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
				const real = window.fetch;
				window.fetch = async (...request) => {
					const body = await (await real(...request)).json();
					%s
					return new Response(JSON.stringify(body));
				};
				""".formatted(change))).get("identifier");
		try {
			browser.open(address(application));
			test.run();
		}
		finally {
			browser.driver()
				.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
		}
	}

	/**
	 * Do something while keys that do not exist are asked for, again and again.
	 */
	private static void whileAttacked(Runnable test) {
		GuardedFilter filter = application.filter("products");
		AtomicLong key = new AtomicLong(1_000_000);
		ScheduledExecutorService attacker = Executors.newSingleThreadScheduledExecutor();
		attacker.scheduleWithFixedDelay(() -> {
			long absent = key.incrementAndGet();
			filter.loaded(absent, filter.check(absent).await(), true, false);
		}, 0, 2, TimeUnit.MILLISECONDS);
		try {
			test.run();
		}
		finally {
			attacker.shutdownNow();
		}
	}

	private static String address(GuardApplication application) {
		return "http://localhost:" + application.bean(Environment.class).getProperty("local.server.port")
				+ "/actuator/bloomguard";
	}

	private static String bits() {
		return "bloom-guard:{products}:bits:" + application.products().filter().active().id();
	}

	/**
	 * The keys 1 to 1,000, which can be made to stop after 400 of them.
	 */
	private static final class SlowSource implements KeySource {

		private final String filter;

		private volatile CountDownLatch halfway = new CountDownLatch(0);

		SlowSource(String filter) {
			this.filter = filter;
		}

		void stopHalfway() {
			this.halfway = new CountDownLatch(1);
		}

		void goOn() {
			this.halfway.countDown();
		}

		@Override
		public String filter() {
			return this.filter;
		}

		@Override
		public Stream<?> keys() {
			CountDownLatch halfway = this.halfway;
			return LongStream.rangeClosed(1, 1000).peek((key) -> {
				if (key == 401) {
					await(halfway);
				}
			}).boxed();
		}

		@Override
		public OptionalLong count() {
			return OptionalLong.of(1000);
		}

		private static void await(CountDownLatch latch) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
		}

	}

}
