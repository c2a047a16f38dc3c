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
package io.github.bloomguard.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Does the tutorial, word for word: its files are written, its commands are run one after
 * the other, and all that it says one sees is seen. Three things are different from what
 * a reader does: the servers are those that the tests bring along, they have other ports,
 * and the application is started by {@code java} instead of {@code mvn spring-boot:run},
 * with the class path of this module. {@code .ci/tutorial} does the same with Maven.
 */
class TutorialTests {

	private static final Path PAGES = Path.of("..", "..", "docs", "tutorial");

	private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d+)");

	private static final Pattern SEEN = Pattern.compile("^\\| `([\\w.]+)` \\| ([^|]+) \\|", Pattern.MULTILINE);

	@TempDir
	private Path folder;

	private Path shop;

	private TutorialServers servers;

	private final List<Program> applications = new ArrayList<>();

	private String printed = "";

	private int logged;

	@BeforeEach
	void start() throws IOException {
		this.shop = Files.createDirectory(this.folder.resolve("shop"));
		this.servers = new TutorialServers(this.folder);
	}

	@AfterEach
	void stop() {
		this.applications.forEach(Program::close);
		this.servers.close();
	}

	@Test
	void whatTheTutorialSaysOneSeesIsSeen() throws Exception {
		for (String page : List.of("first-absent-answer.md", "break-it.md")) {
			for (TutorialPage.Block block : TutorialPage.read(PAGES.resolve(page))) {
				switch (block.language()) {
					case "sh" -> run(block);
					case "" -> block.text().lines().forEach(this::see);
					default -> write(block);
				}
			}
		}
	}

	/**
	 * So the class path of this module is that of the application.
	 */
	@Test
	void moduleHasTheDependenciesOfThePomThatTheTutorialShows() throws Exception {
		String shown = TutorialPage.read(PAGES.resolve("first-absent-answer.md"))
			.stream()
			.filter((block) -> block.language().equals("xml"))
			.findFirst()
			.orElseThrow()
			.text();
		Path pom = Files.writeString(this.folder.resolve("pom.xml"), shown);
		assertThat(dependencies(pom)).isEqualTo(dependencies(Path.of("pom.xml")));
		assertThat(shown).contains("<version>" + System.getProperty("compatibility.spring-boot") + "</version>")
			.contains(
					"<version>" + texts(xml(Path.of("pom.xml")).getDocumentElement(), "version").get(0) + "</version>");
	}

	private void write(TutorialPage.Block block) throws IOException {
		assertThat(block.file()).as("the file of\n%s", block.text()).isNotEmpty();
		Path file = this.shop.resolve(block.file());
		Files.createDirectories(file.getParent());
		Files.writeString(file, this.servers.withPorts(block.text()));
	}

	private void run(TutorialPage.Block block) throws Exception {
		this.logged = log().length();
		this.printed = "";
		for (String command : block.commands()) {
			String here = this.servers.withPorts(command);
			if (command.startsWith("docker ")) {
				this.printed += this.servers.docker(command) + "\n";
			}
			else if (command.startsWith("mvn spring-boot:run")) {
				startApplication(here);
			}
			else if (!command.equals("mvn -Dmaven.test.skip install")) {
				this.printed += inShell(here);
			}
		}
		List<String> statuses = groups(STATUS, block.after());
		if (!statuses.isEmpty()) {
			assertThat(groups(STATUS, this.printed)).as(block.text()).isEqualTo(statuses);
		}
		if (block.after().contains("shows no new line")) {
			assertThat(seen()).as(block.text()).doesNotContain("The database is asked");
		}
		if (block.after().contains("what you see")) {
			compareFields(block.after());
		}
	}

	private void startApplication(String command) throws IOException {
		Path classes = this.shop.resolve("target/classes");
		if (this.applications.isEmpty()) {
			Files.createDirectories(classes);
			Path resources = this.shop.resolve("src/main/resources");
			for (Path file : files(resources)) {
				Files.copy(file, classes.resolve(resources.relativize(file)));
			}
			Stream<String> options = Stream.of("-parameters", "-d", classes.toString(), "-cp",
					ClassPath.ofGuardedApplication().toString());
			int failed = ToolProvider.getSystemJavaCompiler()
				.run(null, null, null,
						Stream.concat(options, files(this.shop.resolve("src/main/java")).stream().map(Path::toString))
							.toArray(String[]::new));
			assertThat(failed).isZero();
		}
		String port = command.contains("--server.port=") ? command.replaceFirst(".*--server.port=", "")
				: String.valueOf(this.servers.webPort());
		this.applications.add(Program.start(ClassPath.ofGuardedApplication().startingWith(classes),
				"com.acme.ShopApplication", List.of(), "server.port=" + port));
	}

	private static List<Path> files(Path folder) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter(Files::isRegularFile).toList();
		}
	}

	private String inShell(String command) throws Exception {
		Process process = new ProcessBuilder("bash", "-c", command).directory(this.shop.toFile())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(command).isTrue();
		return output + "\n";
	}

	/**
	 * Wait until a line is printed or logged since the last command.
	 */
	private void see(String line) {
		Pattern pattern = Pattern.compile(Stream.of(this.servers.withPorts(line).split("…", -1))
			.map(Pattern::quote)
			.collect(Collectors.joining(".*")));
		Awaitility.await(line)
			.atMost(Duration.ofMinutes(3))
			.untilAsserted(() -> assertThat(seen()).containsPattern(pattern));
	}

	private String seen() {
		return this.printed + log().substring(this.logged);
	}

	private String log() {
		return this.applications.stream().map(Program::output).collect(Collectors.joining());
	}

	private void compareFields(String table) {
		JsonNode report = JsonMapper.builder().build().readTree(this.printed);
		assertThat(SEEN.matcher(table).results().toList()).isNotEmpty().allSatisfy((row) -> {
			JsonNode value = report.at("/" + row.group(1).replace('.', '/'));
			String told = row.group(2).strip().replaceAll("[`,]", "");
			if (told.startsWith("about ")) {
				double about = Double.parseDouble(told.substring("about ".length()));
				assertThat(value.asDouble()).as(row.group(1)).isBetween(0.95 * about, 1.05 * about);
			}
			else {
				assertThat(value.asString()).as(row.group(1)).isEqualTo(told);
			}
		});
	}

	private static List<String> groups(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((MatchResult result) -> result.group(1)).toList();
	}

	private static Set<String> dependencies(Path pom) throws Exception {
		NodeList all = xml(pom).getElementsByTagName("dependency");
		Set<String> dependencies = new TreeSet<>();
		for (int i = 0; i < all.getLength(); i++) {
			Element dependency = (Element) all.item(i);
			if (!texts(dependency, "scope").contains("test")) {
				dependencies.add(texts(dependency, "groupId").get(0) + ":" + texts(dependency, "artifactId").get(0));
			}
		}
		return dependencies;
	}

	private static Document xml(Path file) throws Exception {
		return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
	}

	private static List<String> texts(Element element, String name) {
		NodeList nodes = element.getElementsByTagName(name);
		List<String> texts = new ArrayList<>();
		for (int i = 0; i < nodes.getLength(); i++) {
			texts.add(nodes.item(i).getTextContent());
		}
		return texts;
	}

}
