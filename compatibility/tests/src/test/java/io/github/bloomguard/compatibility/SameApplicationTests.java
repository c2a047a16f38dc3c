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
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application is made of the same things when bloom-guard is added to its
 * class path: each is started in a JVM of its own and lists them.
 */
class SameApplicationTests {

	private static final String LISTING_APPLICATION = "io.github.bloomguard.compatibility.listing.ListingApplication";

	/**
	 * What Redisson can't be had without is Reactor, and beside Reactor there is an empty
	 * registry of reactive health contributors and an empty configuration.
	 */
	private static final List<String> OF_REACTOR = List.of("ReactiveHealthContributorRegistry",
			"DataRedisReactiveAutoConfiguration");

	private static TestRedis redis;

	@TempDir
	private Path directory;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void applicationIsTheSameWithTheStarterOnItsClassPath() throws IOException {
		Path before = this.directory.resolve("before");
		Path after = this.directory.resolve("after");
		try (Program without = list(ClassPath.ofApplication(), before);
				Program with = list(ClassPath.ofGuardedApplication(), after)) {
			assertThat(without.await()).as(without::output).isZero();
			assertThat(with.await()).as(with::output).isZero();
		}
		List<String> expected = read(before);
		List<String> actual = read(after);
		assertThat(expected).anyMatch((line) -> line.startsWith("bean "))
			.noneMatch((line) -> line.contains("bloomGuard"));
		assertThat(without(actual, expected)).as("what there is only with the starter").isEmpty();
		assertThat(without(expected, actual)).as("what there is only without the starter").isEmpty();
		assertThat(actual).isEqualTo(expected);
	}

	private static List<String> read(Path listing) throws IOException {
		return Files.readAllLines(listing)
			.stream()
			.filter((line) -> OF_REACTOR.stream().noneMatch(line::contains))
			.toList();
	}

	private static List<String> without(List<String> lines, List<String> others) {
		return lines.stream().filter((line) -> !others.contains(line)).toList();
	}

	private static Program list(ClassPath classPath, Path listing) {
		String[] properties = Stream
			.of(Stream.of(redis.properties()),
					Stream.of(System.getProperty("compatibility.properties", "").split("\\s+")),
					Stream.of("listing=" + listing, "server.port=0", "spring.main.banner-mode=off",
							"logging.level.root=warn"))
			.flatMap((part) -> part)
			.filter((property) -> !property.isEmpty())
			.toArray(String[]::new);
		return Program.start(classPath, LISTING_APPLICATION, List.of(), properties);
	}

}
