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

package io.github.bloomguard.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A real browser without a window: the Chromium of this machine. Tests that have it in a
 * field are skipped where it is not required.
 */
@Needs(Needed.BROWSER)
public final class Browser implements AutoCloseable {

	private static final String[] BROWSERS = { "chromium", "chromium-browser", "google-chrome" };

	private static final String DRIVER = "chromedriver";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * Tells at each start that it does not know the latest Chromium, of which nothing
	 * special is wanted.
	 */
	private static final Logger selenium = Logger.getLogger("org.openqa.selenium");

	private final ChromeDriver driver;

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	/**
	 * Start the browser.
	 * @return the browser, with an empty page
	 */
	public static Browser start() {
		selenium.setLevel(Level.SEVERE);
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(Needed.find(BROWSERS));
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
				"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
				"--disable-default-apps", "--hide-scrollbars", "--force-color-profile=srgb", "--lang=en");
		ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(Needed.find(DRIVER))
			.build();
		Browser started = new Browser(new ChromeDriver(service, options));
		started.driver.manage().timeouts().scriptTimeout(PATIENCE).pageLoadTimeout(PATIENCE);
		return started;
	}

	/**
	 * Open a page.
	 * @param url its address
	 * @return this
	 */
	public Browser open(String url) {
		this.driver.get(url);
		return this;
	}

	/**
	 * Be as wide as a screen is.
	 * @param width in pixels of CSS
	 * @param height in pixels of CSS
	 * @return this
	 */
	public Browser resize(int width, int height) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
		return this;
	}

	/**
	 * Prefer a colour scheme.
	 * @param scheme {@code light} or {@code dark}
	 * @return this
	 */
	public Browser prefer(String scheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
		return this;
	}

	public ChromeDriver driver() {
		return this.driver;
	}

	/**
	 * Find an element by a selector of CSS.
	 */
	public WebElement find(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	/**
	 * Return what is to be read in an element, empty if there is none or it is not shown.
	 */
	public String text(String selector) {
		try {
			return find(selector).getText();
		}
		catch (NoSuchElementException | StaleElementReferenceException ex) {
			return "";
		}
	}

	/**
	 * Wait until something is to be read in an element.
	 */
	public void awaitText(String selector, String expected) {
		await(selector + " has " + expected).until(() -> text(selector), (text) -> text.contains(expected));
	}

	/**
	 * Be patient, because the machine may be busy.
	 */
	public static ConditionFactory await(String what) {
		return Awaitility.await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(100));
	}

	/**
	 * Return what the browser has complained about since this was asked last.
	 * @return the lines of the console, from warnings on
	 */
	public List<String> complaints() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map((entry) -> entry.getLevel() + " " + entry.getMessage())
			.toList();
	}

	/**
	 * Return what keeps people from using the page, as axe sees it.
	 * @return the rules of the page that are violated in a way that is serious or worse,
	 * each with the elements that do
	 */
	@SuppressWarnings("unchecked")
	public List<String> barriers() {
		try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
			this.driver.executeScript(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return (List<String>) this.driver.executeAsyncScript("""
				const done = arguments[arguments.length - 1];
				axe.run().then(({violations}) => done(violations
					.filter(({impact}) => impact === 'serious' || impact === 'critical')
					.map(({id, help, nodes}) => id + ': ' + help + ' ' + nodes.map(({html}) => html).join(' '))));
				""");
	}

	/**
	 * Tell how far the page is wider than the screen.
	 * @return the number of pixels that one has to scroll to the side
	 */
	public long overflow() {
		return (Long) this.driver
			.executeScript("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
	}

	/**
	 * Take a picture of what is to be seen.
	 * @param file where it goes, a PNG
	 */
	public void photograph(Path file) {
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.write(file, this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
