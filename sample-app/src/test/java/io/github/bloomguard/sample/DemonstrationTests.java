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

package io.github.bloomguard.sample;

import java.nio.file.Path;
import java.util.Map;

import io.github.bloomguard.testsupport.Browser;
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
import org.openqa.selenium.WebElement;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the demonstration in a real browser. They take the pictures of the README and
 * leave them in {@code target/pictures}; {@code .ci/pictures} does so at length.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "bloom-guard.timeout=10s", "bloom-guard.cache.timeout=10s",
				"spring.security.user.password=secret", "logging.level.io.github.bloomguard=warn" })
@Tag("slow")
class DemonstrationTests {

	/**
	 * How long the picture shows each, in half seconds.
	 */
	private static final int SAMPLES = Integer.getInteger("picture.samples", 12);

	private static final Path PICTURES = Path.of("target", "pictures");

	private static Browser browser;

	@Value("${local.server.port}")
	private int port;

	@Autowired
	private Attack attack;

	@BeforeAll
	static void startBrowser() {
		browser = Browser.start();
	}

	@AfterAll
	static void closeBrowser() {
		if (browser != null) {
			browser.close();
		}
	}

	@BeforeEach
	void openPage() {
		new SampleClient(this.port).awaitReady();
		browser.resize(1200, 760).prefer("light").open("http://localhost:" + this.port + "/");
		Browser.await("it knows the memory").until(() -> browser.text("#memory").endsWith(" MB"));
	}

	@AfterEach
	void stopTheAttack() {
		this.attack.stop();
		assertThat(browser.complaints()).isEmpty();
	}

	@Test
	void guardIsTurnedOnAndOff() {
		assertThat(browser.driver().findElements(By.cssSelector("input[name=guard] + span")))
			.extracting(WebElement::getText)
			.containsExactly("on", "off");
	}

	@Test
	void attackThatIsGuardedStopsAtTheFilter() {
		assertThat(browser.text("#story")).startsWith("Press Attack");
		browser.find("#attack").click();
		browser.awaitText("#story", "requests a second reach the database: the filter knows");
		Browser.await("the filter answers").until(() -> figure("#filter") > 20);
		assertThat(browser.text("#attack")).isEqualTo("Stop");
		assertThat(browser.text("#left")).startsWith("stops by itself in ");
		assertThat(browser.text("#latency")).endsWith(" ms");
		assertThat(browser.text("#latency-note")).startsWith("median");
		Browser.await("the popular ones are cached").until(() -> figure("#queries") < figure("#requests") / 4);
		assertThat(browser.find(".chart svg").getDomAttribute("aria-label")).contains("requests a second came in");
		browser.find("#attack").click();
		browser.awaitText("#attack", "Attack");
		browser.awaitText("#story", "The attack is over");
	}

	@Test
	void attackThatIsNotGuardedReachesTheDatabaseAndFillsRedis() {
		browser.find("input[name=guard][value=off]").sendKeys(Keys.SPACE);
		browser.find("#attack").click();
		browser.awaitText("#story", "and each leaves an empty entry in Redis");
		Browser.await("the database is asked").until(() -> figure("#queries") > figure("#requests") / 2);
		Browser.await("Redis grows").until(() -> browser.text("#story"), (text) -> text.contains("MB more so far"));
		assertThat(figure("#filter")).isZero();
		browser.find("input[name=guard][value=on]").sendKeys(Keys.SPACE);
		Browser.await("the filter answers").until(() -> figure("#queries") < figure("#requests") / 4);
	}

	@Test
	void pageOfTheGuardSaysWhichFilterWouldSpareTheAttack() {
		browser.find("input[name=guard][value=off]").sendKeys(Keys.SPACE);
		browser.find("#attack").click();
		browser.awaitText("#story", "and each leaves an empty entry in Redis");
		browser.open("http://localhost:" + this.port + "/actuator/bloomguard");
		browser.awaitText("[data-suggestion='ShadowCatalogue.findById'] pre",
				"bloom-guard.filters.shadow.mode: enforce");
		browser.photograph(PICTURES.resolve("advisor.png"));
		assertThat(browser.text("[data-part=advisor]")).doesNotContain("ProductCatalogue");
		assertThat(browser.overflow()).isZero();
	}

	@Test
	void pictureOfTheReadmeShowsTheGuardBeingTurnedOn() {
		browser.find("input[name=guard][value=off]").sendKeys(Keys.SPACE);
		browser.find("#attack").click();
		awaitSamples(SAMPLES * 3 / 4, false);
		browser.find("input[name=guard][value=on]").sendKeys(Keys.SPACE);
		awaitSamples(SAMPLES, true);
		Browser.await("the filter answers").until(() -> figure("#queries") < figure("#requests") / 4);
		browser.driver().executeScript("document.activeElement.blur()");
		browser.photograph(PICTURES.resolve("attack.png"));
		assertThat(PICTURES.resolve("attack.png")).isNotEmptyFile();
	}

	@Test
	void pictureOfThePageShowsWhatTheFilterAnswers() {
		browser.find("#attack").click();
		Browser.await("the filter answers").until(() -> figure("#filter") > 20);
		browser.open("http://localhost:" + this.port + "/actuator/bloomguard");
		Browser.await("a chart").until(() -> (Boolean) browser.driver().executeScript("""
				const area = document.querySelector('[data-filter=products] .chart path.absent');
				return area !== null && area.getAttribute('d').split('L').length > 2 * arguments[0];
				""", SAMPLES / 3));
		browser.driver().executeScript("document.activeElement.blur()");
		browser.photograph(PICTURES.resolve("page.png"));
		assertThat(PICTURES.resolve("page.png")).isNotEmptyFile();
	}

	@ParameterizedTest
	@CsvSource({ "1200, light", "1200, dark", "360, light", "360, dark" })
	void nobodyIsKeptOut(int width, String scheme) {
		browser.resize(width, (width < 500) ? 1500 : 760).prefer(scheme);
		browser.find("#attack").sendKeys(Keys.ENTER);
		Browser.await("the filter answers").until(() -> figure("#filter") > 20);
		browser.photograph(PICTURES.resolve("attack-" + width + "-" + scheme + ".png"));
		assertThat(browser.barriers()).isEmpty();
		assertThat(browser.overflow()).isZero();
	}

	@Test
	void operatorRebuildsInTheBrowser() {
		browser.driver().executeCdpCommand("Network.enable", Map.of());
		browser.driver()
			.executeCdpCommand("Network.setExtraHTTPHeaders",
					Map.of("headers", Map.of("Authorization", "Basic b3BlcmF0b3I6c2VjcmV0")));
		try {
			browser.driver().findElement(By.linkText("What the filter knows")).click();
			browser.awaitText("[data-filter=products] [data-part=state]", "READY");
			browser.find("[data-filter=products] [data-part=rebuild]").click();
			browser.awaitText("dialog", "Rebuild products?");
			browser.find("dialog [data-part=yes]").click();
			browser.awaitText("[data-filter=products] [data-part=done]", "The rebuild has begun.");
		}
		finally {
			browser.driver().executeCdpCommand("Network.setExtraHTTPHeaders", Map.of("headers", Map.of()));
		}
	}

	private static double figure(String selector) {
		String text = browser.text(selector).replace(",", "").replace("/s", "");
		return text.matches("[\\d.]+") ? Double.parseDouble(text) : 0;
	}

	private static void awaitSamples(int count, boolean guarded) {
		Browser.await(count + " samples")
			.until(() -> (Boolean) browser.driver()
				.executeScript(
						"return samples.filter((s) => s.running && s.guarded === arguments[1]).length >= arguments[0]",
						count, guarded));
	}

}
