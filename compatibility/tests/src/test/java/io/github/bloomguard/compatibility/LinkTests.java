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
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import io.github.bloomguard.compatibility.ClassFile.Member;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The guard is compiled with other versions of these libraries than those of this class
 * path, so that a name that they do not have would be noticed only when it is used.
 */
class LinkTests {

	private static final String OWN = "io/github/bloomguard/";

	private static final List<String> LIBRARIES = List.of(OWN, "org/springframework/", "org/hibernate/", "org/mybatis/",
			"com/baomidou/", "com/mongodb/", "org/bson/");

	/**
	 * Beginnings of what may be missing, and why it is not used.
	 */
	private static final Map<String, String> EXCEPTIONS = Map.of( //
			"cache/autoconfigure/CacheManagerConfiguration", "conditional; SpringBoot3CacheAutoConfiguration instead",
			"autoconfigure/redis/JCacheProviderEnvironmentPostProcessor", "not looked for; that of boot3 instead",
			"autoconfigure/redis/DataRedisConfiguration", "conditional; RedisDetailsConfiguration instead",
			"health/BloomGuardHealthIndicator", "its configuration is conditional; FilterHealthIndicator instead",
			"cache/SpringDataRedis4", "SpringDataRedis3 is the service", //
			"hibernate/Hibernate7", "Hibernate6 is the service", //
			"datajdbc/SpringDataJdbcVersion no member org/springframework/data/", "SpringDataJdbc3 is the service",
			"declaration/SpringVersion no class org/springframework/core/Nullness", "Spring6 is the service",
			"cache/RedisCacheWriterDecorator no member org/springframework/data/redis/cache/RedisCacheWriter.execute(",
			"it implements a method that nobody can call, as it came with Spring Data Redis 4");

	private static final Map<String, Optional<ClassFile>> FILES = new HashMap<>();

	private static final Set<String> UNRESOLVED = new TreeSet<>();

	private static URLClassLoader classPath;

	@BeforeAll
	static void link() throws IOException {
		URL[] urls = ClassPath.ofGuardedApplication().urls();
		classPath = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
		for (URL url : urls) {
			if (url.getPath().matches(".*/bloom-guard-[^/]*[.]jar")) {
				try (JarFile jar = new JarFile(Path.of(url.getPath()).toFile())) {
					jar.stream()
						.map((entry) -> entry.getName())
						.filter((name) -> name.startsWith(OWN) && name.endsWith(".class"))
						.map((name) -> name.substring(0, name.length() - ".class".length()))
						.forEach(LinkTests::link);
				}
			}
		}
	}

	@AfterAll
	static void close() throws IOException {
		classPath.close();
		FILES.clear();
		UNRESOLVED.clear();
	}

	@Test
	void allThatTheGuardNamesIsThere() {
		assertThat(FILES).hasSizeGreaterThan(1000);
		assertThat(UNRESOLVED).filteredOn((line) -> EXCEPTIONS.keySet().stream().noneMatch(line::startsWith)).isEmpty();
	}

	@Test
	void eachExceptionIsNeeded() {
		assertThat(EXCEPTIONS.keySet())
			.allSatisfy((exception) -> assertThat(UNRESOLVED).anyMatch((line) -> line.startsWith(exception)));
	}

	private static void link(String name) {
		ClassFile file = file(name).orElseThrow();
		String user = name.substring(OWN.length());
		for (String type : file.namedClasses()) {
			if (isOfLibrary(type) && file(type).isEmpty()) {
				UNRESOLVED.add(user + " no class " + type);
			}
		}
		for (Member member : file.namedMembers()) {
			if (isOfLibrary(member.owner()) && file(member.owner()).isPresent() && !isThere(member)) {
				UNRESOLVED.add(user + " no member " + member);
			}
		}
		if (!file.isAbstract()) {
			missingBodies(name).forEach((method) -> UNRESOLVED.add(user + " no body of " + method));
		}
	}

	private static boolean isOfLibrary(String name) {
		return LIBRARIES.stream().anyMatch(name::startsWith);
	}

	private static boolean isThere(Member member) {
		String wanted = member.name() + member.descriptor();
		ClassFile owner = file(member.owner()).orElseThrow();
		if (member.isMethod() && owner.isInterface() != member.inInterface()) {
			return false;
		}
		if (member.name().equals("<init>")) {
			return owner.members().contains(wanted);
		}
		return family(member.owner()).flatMap((name) -> file(name).stream())
			.anyMatch((file) -> file.members().contains(wanted) || file.abstractMembers().contains(wanted));
	}

	private static Set<String> missingBodies(String name) {
		Set<String> missing = new TreeSet<>();
		Set<String> bodies = new TreeSet<>();
		family(name).flatMap((relative) -> file(relative).stream()).forEach((file) -> {
			missing.addAll(file.abstractMembers());
			bodies.addAll(file.members());
		});
		missing.removeAll(bodies);
		return missing;
	}

	private static Stream<String> family(String name) {
		Set<String> family = new LinkedHashSet<>();
		addFamily(name, family);
		return family.stream();
	}

	private static void addFamily(String name, Set<String> family) {
		if (family.add(name)) {
			file(name).ifPresent((file) -> file.parents().forEach((parent) -> addFamily(parent, family)));
		}
	}

	private static Optional<ClassFile> file(String name) {
		Optional<ClassFile> known = FILES.get(name);
		if (known == null) {
			known = read(name);
			FILES.put(name, known);
		}
		return known;
	}

	private static Optional<ClassFile> read(String name) {
		try (InputStream bytes = classPath.getResourceAsStream(name + ".class")) {
			return (bytes != null) ? Optional.of(ClassFile.read(bytes.readAllBytes())) : Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
