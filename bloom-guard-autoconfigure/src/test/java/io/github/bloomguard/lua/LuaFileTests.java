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

package io.github.bloomguard.lua;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LuaFile} and all files with Lua.
 */
class LuaFileTests {

	private static final Path ROOT = Path.of("src/main/resources/io/github/bloomguard");

	private static final Path SOURCES = Path.of("src/main/java/io/github/bloomguard");

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	static List<Arguments> files() throws IOException {
		List<Arguments> files = new ArrayList<>();
		for (Path module : modules()) {
			Path root = module.resolve(ROOT);
			try (Stream<Path> all = Files.walk(root)) {
				all.filter((file) -> file.toString().endsWith(".lua"))
					.sorted()
					.forEach((file) -> files.add(Arguments.of(root.relativize(file), module)));
			}
		}
		return files;
	}

	private static List<Path> modules() throws IOException {
		try (Stream<Path> modules = Files.list(Path.of(".."))) {
			return modules.filter((module) -> Files.isDirectory(module.resolve(ROOT))).sorted().toList();
		}
	}

	@ParameterizedTest
	@MethodSource("files")
	void redisCompilesEachFile(Path file) {
		String lua = LuaFile.read(BloomGuard.class, withoutExtension(file));
		assertThat(lua).isNotEmpty().doesNotContain("--");
		assertThat(redis.command("SCRIPT", "LOAD", lua)).matches("[0-9a-f]{40}");
	}

	@ParameterizedTest
	@MethodSource("files")
	void eachFileIsReadByATypeOfItsPackage(Path file, Path module) throws IOException {
		Path sources = module.resolve(SOURCES);
		Path directory = file.getParent();
		while (!Files.isDirectory(sources.resolve(directory))) {
			directory = directory.getParent();
		}
		String name = "\"" + withoutExtension(directory.relativize(file)) + "\"";
		try (Stream<Path> types = Files.list(sources.resolve(directory))) {
			assertThat(types.filter(Files::isRegularFile).filter((type) -> contains(type, name))).as(name).isNotEmpty();
		}
	}

	@Test
	void typeThatReadsAFileThatIsMissingCannotBeUsed() {
		assertThatExceptionOfType(ExceptionInInitializerError.class).isThrownBy(() -> Reader.SCRIPT.length())
			.havingCause()
			.isInstanceOf(UncheckedIOException.class)
			.withMessageContaining("io/github/bloomguard/lua/missing.lua");
	}

	@Test
	void redisGetsNeitherCommentsNorBlankLines() {
		assertThat(LuaFile.read(LuaFileTests.class, "commented")).isEqualTo("local one = 1\n  return one\n");
	}

	private static boolean contains(Path source, String name) {
		try {
			return Files.readString(source).contains(name);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String withoutExtension(Path file) {
		return file.toString().replace('\\', '/').replaceFirst("\\.lua$", "");
	}

	static final class Reader {

		static final String SCRIPT = LuaFile.read(Reader.class, "missing");

	}

}
