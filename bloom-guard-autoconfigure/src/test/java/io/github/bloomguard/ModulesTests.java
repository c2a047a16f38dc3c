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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the modules of the product: which packages each has, and which other modules
 * it may need.
 */
class ModulesTests {

	private static final Path ROOT = Path.of("..");

	private static final String SOURCES = "src/main/java/io/github/bloomguard";

	private static final List<Module> MODULES = List.of(
			new Module("core", List.of(),
					List.of("", "adding", "backend", "backend.memory", "call", "circuit", "deciding", "feed", "filter",
							"generation", "guard", "instance", "library", "logging", "lua", "sentinel", "source",
							"statistics", "verifying", "warmup")),
			new Module("redis", List.of("core"), List.of("backend.redis", "backend.redis.module")),
			new Module("spring", List.of("core"),
					List.of("advisor", "annotation", "declaration", "interceptor", "result")),
			new Module("jdbc", List.of("core"), List.of("catchup", "jdbc")),
			new Module("entity", List.of("core", "jdbc"), List.of("entity")),
			new Module("hibernate", List.of("core", "jdbc", "entity"), List.of("hibernate")),
			new Module("data-jdbc", List.of("core", "jdbc", "entity"), List.of("datajdbc")),
			new Module("mybatis", List.of("core", "jdbc", "entity"), List.of("mybatis")),
			new Module("mongodb", List.of("core", "jdbc", "entity"), List.of("mongodb")),
			new Module("r2dbc", List.of("core", "jdbc"), List.of("r2dbc")),
			new Module("gateway", List.of("core"), List.of("gateway")),
			new Module("changes", List.of("core", "jdbc"), List.of("changes")),
			new Module("cache", List.of("core"), List.of("cache", "cache.autoconfigure", "cache.client")),
			new Module("autoconfigure", List.of("core", "redis", "spring", "jdbc", "entity", "cache"),
					List.of("autoconfigure", "autoconfigure.redis", "endpoint", "health", "metrics")),
			new Module("spring-boot3", List.of("autoconfigure", "cache", "hibernate", "data-jdbc"), List.of("boot3")));

	private static final List<String> OTHERS = List.of("bom", "test-support", "starter", "spring-boot3-starter", "test",
			"benchmarks");

	private static final XPath xpath = XPathFactory.newInstance().newXPath();

	static Stream<Module> modules() {
		return MODULES.stream();
	}

	@Test
	void eachModuleIsInTheTable() throws Exception {
		assertThat(texts(ROOT, "/project/modules/module[starts-with(., 'bloom-guard-')]"))
			.containsExactlyInAnyOrderElementsOf(
					Stream.concat(modules().map(Module::name), OTHERS.stream()).map(Module::artifact).toList());
	}

	@ParameterizedTest
	@MethodSource("modules")
	void moduleHasThesePackagesAndNoOthers(Module module) throws IOException {
		assertThat(module.sources().stream().map(Path::getParent).map(module::packageName).distinct())
			.containsExactlyInAnyOrderElementsOf(module.packages());
	}

	@ParameterizedTest
	@MethodSource("modules")
	void moduleHasAMemoForWhoOpensIt(Module module) throws IOException {
		List<String> memos = new ArrayList<>();
		for (Path source : module.sources()) {
			if (source.endsWith("package-info.java") && Files.readString(source).contains("<b>The problem.</b>")) {
				memos.add(Files.readString(source));
			}
		}
		assertThat(memos).singleElement(InstanceOfAssertFactories.STRING)
			.contains("<b>The structure.</b>", "<b>What must hold.</b>", "<b>What may be touched.</b>");
	}

	/**
	 * One of another name is never looked for.
	 */
	@ParameterizedTest
	@MethodSource("modules")
	void moduleOffersServicesThatThereAre(Module module) throws IOException {
		Path services = module.directory().resolve("src/main/resources/META-INF/services");
		if (Files.exists(services)) {
			try (Stream<Path> files = Files.list(services)) {
				assertThat(files).isNotEmpty().allSatisfy((file) -> Class.forName(file.getFileName().toString()));
			}
		}
	}

	@ParameterizedTest
	@MethodSource("modules")
	void moduleNeedsNoOthers(Module module) throws Exception {
		assertThat(texts(module.directory(),
				"/project/dependencies/dependency[groupId = 'io.github.bloomguard'"
						+ " and not(scope = 'test')]/artifactId"))
			.isSubsetOf(module.needs().stream().map(Module::artifact).toList());
	}

	/**
	 * It would be that of this build, also in an application on another line of Spring
	 * Boot, where the higher of two versions wins, as with Gradle.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "changes", "test" })
	void whatIsAddedBesideAStarterBringsNoSpring(String name) throws Exception {
		String dependency = "/project/dependencies/dependency[not(scope = 'test' or scope = 'provided' or optional)]";
		Path module = ROOT.resolve(Module.artifact(name));
		assertThat(texts(module, dependency + "/groupId"))
			.noneMatch((group) -> group.startsWith("org.springframework"));
		assertThat(texts(module, dependency + "[groupId = 'io.github.bloomguard'"
				+ " and not(exclusions/exclusion[artifactId = '*']/groupId = 'org.springframework'"
				+ " and exclusions/exclusion[artifactId = '*']/groupId = 'org.springframework.boot')]/artifactId"))
			.isEmpty();
	}

	private static List<String> texts(Path directory, String expression) throws Exception {
		Document pom = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(directory.resolve("pom.xml").toFile());
		NodeList nodes = (NodeList) xpath.evaluate(expression, pom, XPathConstants.NODESET);
		return IntStream.range(0, nodes.getLength()).mapToObj((i) -> nodes.item(i).getTextContent()).toList();
	}

	private record Module(String name, List<String> needs, List<String> packages) {

		static String artifact(String name) {
			return "bloom-guard-" + name;
		}

		Path directory() {
			return ROOT.resolve(artifact(this.name));
		}

		List<Path> sources() throws IOException {
			try (Stream<Path> files = Files.walk(directory().resolve(SOURCES))) {
				return files.filter((file) -> file.toString().endsWith(".java")).toList();
			}
		}

		String packageName(Path sources) {
			Path relative = directory().resolve(SOURCES).relativize(sources);
			return String.join(".",
					IntStream.range(0, relative.getNameCount())
						.mapToObj((i) -> relative.getName(i).toString())
						.toList());
		}

		@Override
		public String toString() {
			return artifact(this.name);
		}

	}

}
