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

package io.github.bloomguard.autoconfigure;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheProperties;
import io.github.bloomguard.testsupport.ConfigurationMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the documentation says what is true: its properties, its code and its links.
 */
class DocumentationTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Pattern BLOCK = Pattern.compile("^( *)```(\\w+)\\n(.*?)^ *```",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern IMPORT = Pattern.compile("^import .*;$", Pattern.MULTILINE);

	private static final Pattern TYPE = Pattern.compile("(?:class|interface|record|enum) (\\w+)");

	private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

	private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

	/**
	 * What code of the documentation uses and does not show.
	 */
	private static final String AROUND = """
			import com.baomidou.mybatisplus.core.mapper.BaseMapper;
			import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;
			import java.io.Serializable;
			import java.util.*;
			import java.util.stream.*;
			import io.github.bloomguard.*;
			import io.github.bloomguard.annotation.*;
			import io.github.bloomguard.backend.memory.*;
			import io.github.bloomguard.guard.*;
			import org.redisson.api.*;
			import org.springframework.boot.autoconfigure.SpringBootApplication;
			import org.springframework.boot.data.redis.autoconfigure.*;
			import org.springframework.boot.cache.autoconfigure.*;
			import org.springframework.cache.annotation.*;
			import org.springframework.context.annotation.*;
			import org.springframework.data.domain.Limit;
			import org.springframework.data.jpa.repository.Query;
			import org.springframework.data.redis.cache.*;
			import org.springframework.data.redis.core.StringRedisTemplate;
			import org.springframework.data.redis.serializer.*;
			import org.springframework.data.redis.serializer.RedisSerializationContext.SerializationPair;
			import org.springframework.data.repository.ListCrudRepository;
			import org.springframework.http.HttpStatus;
			import org.springframework.stereotype.*;
			import org.springframework.transaction.annotation.*;
			import org.springframework.web.bind.annotation.*;
			import org.springframework.web.client.HttpClientErrorException;
			import org.springframework.web.service.annotation.*;
			abstract class Shown {
			record Product(long id, String name) { }
			record NewProduct(String name) { }
			record Isbn(String digits) { }
			static class ProductNotFoundException extends RuntimeException { }
			interface JpaRepository<T, ID> extends ListCrudRepository<T, ID> {
				<S extends T> S saveAndFlush(S entity);
				<S extends T> List<S> saveAllAndFlush(Iterable<S> entities);
			}
			BloomGuard guard;
			ListCrudRepository<Product, Long> repository;
			long id;
			%s
			%s
			}
			""";

	private static final String REPOSITORY = "interface ProductRepository extends ListCrudRepository<Product, Long> {"
			+ " Stream<Long> streamAllIds(); }";

	/**
	 * What is not on this class path.
	 */
	private static final Set<String> ELSEWHERE = Set.of("@AutoConfigureBloomGuard", "SecurityFilterChain");

	static Stream<Path> pages() throws IOException {
		try (Stream<Path> documents = Files.walk(ROOT.resolve("docs"))) {
			return Stream.concat(
					Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "sample-app/README.md").map(ROOT::resolve),
					documents.filter((page) -> page.toString().endsWith(".md")).sorted().toList().stream());
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void propertiesInYamlExistAndCanBeBound(Path page) throws IOException {
		Set<String> known = ConfigurationMetadata.read().properties().keySet();
		for (String yaml : blocks(page, "yaml")) {
			Map<String, Object> values = values(yaml);
			assertThat(values.keySet()).as(yaml)
				.filteredOn((name) -> name.startsWith("bloom-guard."))
				.allSatisfy((name) -> assertThat(known)
					.anyMatch((property) -> name.replaceFirst("\\[\\d+\\]$", "").matches(pattern(property))));
			StandardEnvironment environment = new StandardEnvironment();
			environment.getPropertySources().addFirst(new MapPropertySource("yaml", values));
			Binder binder = Binder.get(environment);
			binder.bindOrCreate("bloom-guard", BloomGuardProperties.class);
			binder.bindOrCreate("bloom-guard.cache", BloomGuardCacheProperties.class);
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	@Tag("slow")
	void codeCompiles(Path page, @TempDir Path classes) {
		List<JavaFileObject> files = new ArrayList<>();
		for (String code : blocks(page, "java")) {
			if (code.startsWith("package ")) {
				files.add(file(TYPE.matcher(code).results().findFirst().orElseThrow().group(1), code));
			}
			else if (ELSEWHERE.stream().noneMatch(code::contains)) {
				compile(List.of(file("Shown", within(code))), classes, code);
			}
		}
		if (!files.isEmpty()) {
			compile(files, classes, page.toString());
		}
	}

	/**
	 * Mermaid ends a statement at a semicolon, and draws nothing if there is one in a
	 * text.
	 */
	@ParameterizedTest
	@MethodSource("pages")
	void picturesCanBeDrawn(Path page) {
		assertThat(blocks(page, "mermaid")).allSatisfy((picture) -> assertThat(picture)
			.matches("(?s)(flowchart (TD|TB|LR)|sequenceDiagram|stateDiagram-v2)\\n.*")
			.doesNotContain(";"));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void linksLeadSomewhere(Path page) {
		LINK.matcher(read(page)).results().map((link) -> link.group(1)).forEach((link) -> {
			if (!link.contains("://")) {
				String[] parts = link.split("#", 2);
				Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
				assertThat(target).as(link).exists();
				if (parts.length > 1) {
					assertThat(anchors(target)).as(page.getFileName() + ": " + link).contains(parts[1]);
				}
			}
		});
	}

	private static Map<String, Object> values(String yaml) throws IOException {
		String whole = yaml.startsWith("warm-up:")
				? "bloom-guard.filters.products:\n  expected-insertions: 1\n" + yaml.indent(2) : yaml;
		Map<String, Object> values = new HashMap<>();
		for (var source : new YamlPropertySourceLoader().load("yaml", new ByteArrayResource(whole.getBytes()))) {
			EnumerablePropertySource<?> names = (EnumerablePropertySource<?>) source;
			for (String name : names.getPropertyNames()) {
				values.put(name, names.getProperty(name));
			}
		}
		return values;
	}

	private static String pattern(String property) {
		return Stream.of(property.split("\\.\\*\\.")).map(Pattern::quote).collect(Collectors.joining("\\.[\\w-]+\\."));
	}

	private static String within(String code) {
		String imports = IMPORT.matcher(code).results().map(MatchResult::group).collect(Collectors.joining());
		return imports + AROUND.formatted(code.contains("interface ProductRepository") ? "" : REPOSITORY,
				IMPORT.matcher(code).replaceAll("").replace("{ … }", "{ throw new UnsupportedOperationException(); }"));
	}

	private static JavaFileObject file(String type, String source) {
		return new SimpleJavaFileObject(URI.create("string:///" + type + ".java"), JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}

		};
	}

	private static void compile(List<JavaFileObject> files, Path classes, String shown) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter errors = new StringWriter();
		boolean compiled = compiler
			.getTask(errors, null, null,
					List.of("-proc:none", "-parameters", "-d", classes.toString(), "-cp",
							System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))),
					null, files)
			.call();
		assertThat(compiled).as(errors + "\n" + shown).isTrue();
	}

	private static List<String> blocks(Path page, String language) {
		List<String> blocks = new ArrayList<>();
		BLOCK.matcher(read(page))
			.results()
			.filter((block) -> block.group(2).equals(language))
			.forEach((block) -> blocks.add(block.group(3)
				.lines()
				.map((line) -> unindented(line, block.group(1)))
				.collect(Collectors.joining("\n"))));
		return blocks;
	}

	private static String unindented(String line, String indentation) {
		return line.startsWith(indentation) ? line.substring(indentation.length()) : line;
	}

	private static Set<String> anchors(Path page) {
		return HEADING.matcher(read(page))
			.results()
			.map((heading) -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
			.collect(Collectors.toSet());
	}

	private static String read(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
